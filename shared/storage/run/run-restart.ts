import type { OrganizationId } from "../../domain/access/organization-id.ts";
import type { RecordedResponse, RestartedRun, RestartRunOutcome } from "../../domain/run/run-store.ts";
import { attachmentWrites } from "../attachment/attachment-item.ts";
import { countWrites } from "../table/counters.ts";
import type { DynamoTable } from "../table/dynamo-table.ts";
import { allOf, isAsRead, type Write } from "../table/expression.ts";
import { secretUseWrite } from "./run-creation.ts";
import { runItem } from "./run-item.ts";
import { transactQueueing } from "./run-queueing.ts";
import { forgetUnusedSecret } from "./run-removal.ts";
import { isEnded } from "./run-update.ts";

/**
 * Resets an ended run to its start, with its index rows and queue row.
 *
 * @throws {AlreadyOnRecord}
 */
export async function restartRun(
  table: DynamoTable,
  restarted: RestartedRun,
  answer: RecordedResponse | undefined,
  nowMs: number,
): Promise<RestartRunOutcome> {
  const { before, run } = restarted;
  const { failed, result } = await transactQueueing(
    table,
    { organizationId: run.organizationId, runs: [run], session: undefined, required: requiredBy(restarted) },
    restartWrites(restarted),
    { idempotency: answer?.idempotency, result: answer?.result, nowMs },
  );
  if (failed.size > 0 || result === undefined) return { kind: "changed" };
  if (result.kind !== "queued") return result;
  const old = before.secretName;
  if (old === null || old === run.secretName) return { kind: "restarted", unusedSecret: null };
  const isUnused = await forgetUnusedSecret(table, run.organizationId, old);
  return { kind: "restarted", unusedSecret: isUnused ? old : null };
}

function requiredBy({ run }: RestartedRun) {
  return {
    workflowIds: [run.workflowId],
    machineIds: run.namedMachineId === null ? [] : [run.namedMachineId],
    poolIds: run.poolIds,
    sessionIds: run.sessionId === null ? [] : [run.sessionId],
  };
}

function restartWrites({ before, run, attachments }: RestartedRun): readonly Write[] {
  return [
    { kind: "put", item: runItem(run), condition: allOf(isAsRead(before), isEnded) },
    ...attachments.flatMap(attachmentWrites),
    ...countWrites("ATTACHMENT", attachments),
    ...(before.secretName === run.secretName
      ? []
      : [
          ...secretUse(run.organizationId, before.secretName, -1),
          ...secretUse(run.organizationId, run.secretName, 1),
        ]),
  ];
}

function secretUse(organizationId: OrganizationId, secretName: string | null, by: number): readonly Write[] {
  return secretName === null ? [] : [secretUseWrite(organizationId, secretName, by)];
}
