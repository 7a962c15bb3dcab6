import type { OrganizationId } from "../../domain/access/organization-id.ts";
import type { CreateRunsOutcome, NewRuns, RecordedResponse } from "../../domain/run/run-store.ts";
import { attachmentWrites } from "../attachment/attachment-item.ts";
import { sessionItem } from "../session/session-item.ts";
import { countWrites } from "../table/counters.ts";
import type { DynamoTable } from "../table/dynamo-table.ts";
import { isNew, type Write } from "../table/expression.ts";
import { recordExpiry } from "../table/idempotency-record.ts";
import { requestPartKey, runSecretKey } from "../table/keys.ts";
import { runItem } from "./run-item.ts";
import { transactQueueing } from "./run-queueing.ts";

/**
 * Creates the runs and puts each in its queue.
 *
 * @throws {AlreadyOnRecord}
 */
export async function writeNewRuns(
  table: DynamoTable,
  news: NewRuns,
  answer: RecordedResponse | undefined,
  nowMs: number,
): Promise<CreateRunsOutcome> {
  const once = { idempotency: answer?.idempotency, result: answer?.result, nowMs };
  const { failed, result } = await transactQueueing(table, news, creationWrites(news, nowMs), once);
  // Work that is done stays done, whatever has gone missing since.
  if (news.part !== undefined && failed.has(0)) return { kind: "repeated" };
  if (result === undefined)
    throw new Error("a run, an attachment or a session with this id is there already");
  return result.kind === "queued" ? { kind: "created" } : result;
}

function creationWrites(news: NewRuns, nowMs: number): readonly Write[] {
  const { organizationId, runs, attachments, session, part } = news;
  return [
    ...(part === undefined ? [] : [partWrite(organizationId, part, nowMs)]),
    ...(session === undefined
      ? []
      : [{ kind: "put", item: sessionItem(session), condition: isNew } satisfies Write]),
    ...runs.map((run): Write => ({ kind: "put", item: runItem(run), condition: isNew })),
    ...attachments.flatMap(attachmentWrites),
    ...countWrites("RUN", runs),
    ...countWrites("ATTACHMENT", attachments),
    ...secretUses(news),
  ];
}

function partWrite(organizationId: OrganizationId, part: NonNullable<NewRuns["part"]>, nowMs: number): Write {
  const key = requestPartKey(organizationId, part.idempotencyId, part.number);
  return {
    kind: "put",
    item: { ...key, kind: "request_part", ttl: recordExpiry(nowMs).ttl },
    condition: isNew,
  };
}

const openUse = { set: { kind: "run_secret", is_open: true } };

function secretUses({ organizationId, runs, isContinued = false }: NewRuns): readonly Write[] {
  const uses = new Map<string, number>();
  for (const { secretName } of runs) {
    if (secretName !== null) uses.set(secretName, (uses.get(secretName) ?? 0) + 1);
  }
  return [...uses].map(([secretName, count]) => {
    const use = secretUseWrite(organizationId, secretName, count);
    // Until the last runs are created, none of the earlier ones may count as the secret's last user.
    const change = { ...use.change, ...(isContinued ? openUse : { remove: ["is_open"] }) };
    return { ...use, change };
  });
}

/** Adds to the number of runs that use a secret. */
export function secretUseWrite(organizationId: OrganizationId, secretName: string, by: number) {
  return {
    kind: "update",
    key: secretUseKey(organizationId, secretName),
    change: { set: { kind: "run_secret" }, add: { uses: by } },
  } satisfies Write;
}

export function secretUseKey(organizationId: OrganizationId, secretName: string) {
  return runSecretKey(organizationId, secretName.slice(secretName.lastIndexOf("/") + 1));
}
