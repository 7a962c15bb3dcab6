import { keepLines } from "../../../functions/projector/keep-lines.ts";
import { projectedChanges } from "../../../infra/constructs/streams/projected-changes.ts";
import { matchesPattern } from "../../../infra/local/events/event-pattern.ts";
import type { JsonObject } from "../../../infra/local/template/json.ts";
import { readAuditEvent } from "../../../shared/storage/stream/stream-acts.ts";
import { readRequestLog } from "../../../shared/storage/stream/stream-calls.ts";
import type { TableStreamRecord } from "../../../shared/storage/stream/stream-changes.ts";
import type { ModelStores } from "../stores/model-stores.ts";

const patterns = JSON.parse(JSON.stringify(projectedChanges)) as readonly JsonObject[];

export function projectedOf<R extends TableStreamRecord>(records: readonly R[]): readonly R[] {
  const isProjected = (record: R) => {
    const event = JSON.parse(JSON.stringify(record)) as JsonObject;
    return patterns.some((pattern) => matchesPattern(pattern, event));
  };
  return records.filter(isProjected);
}

export async function projectLines(
  { auditLog, requestLog, model }: Pick<ModelStores, "auditLog" | "requestLog" | "model">,
  records: readonly TableStreamRecord[] = model.takeRecords(),
): Promise<void> {
  const deps = { readAuditEvent, readRequestLog, auditLog, requestLog };
  await keepLines(deps, projectedOf(records), async (_about, work) => await work());
}
