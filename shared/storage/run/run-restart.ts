import type { RecordedResponse, RestartedRun, RestartRunOutcome } from "../../domain/run/run-store.ts";
import { attachmentWrites } from "../attachment/attachment-item.ts";
import { countWrites } from "../table/counters.ts";
import type { DynamoTable } from "../table/dynamo-table.ts";
import { allOf, isAsRead, type Write } from "../table/expression.ts";
import { newSessionWrites } from "./run-creation.ts";
import { runItem } from "./run-item.ts";
import { transactQueueing } from "./run-queueing.ts";
import { secretWrites, useEndWrites } from "./run-secret.ts";
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
  const { run, session } = restarted;
  const { organizationId } = run;
  const { failed, result } = await transactQueueing(
    table,
    { organizationId, runs: [run], session, required: requiredBy(restarted) },
    await restartWrites(table, restarted, nowMs),
    { idempotency: answer?.idempotency, result: answer?.result, nowMs },
  );
  if (failed.size > 0 || result === undefined) return { kind: "changed" };
  if (result.kind !== "queued") return result;
  return { kind: "restarted" };
}

function requiredBy({ run, session }: RestartedRun) {
  return {
    workflowIds: [run.workflowId],
    machineIds: run.namedMachineId === null ? [] : [run.namedMachineId],
    poolIds: run.poolIds,
    sessionIds: run.sessionId === null || session !== undefined ? [] : [run.sessionId],
  };
}

/** The last ones are of the secrets; a condition of theirs that fails shows that the uses have changed. */
async function restartWrites(
  table: DynamoTable,
  { before, run, session, attachments, secret }: RestartedRun,
  nowMs: number,
): Promise<readonly Write[]> {
  return [
    { kind: "put", item: runItem(run), condition: allOf(isAsRead(before), isEnded) },
    ...newSessionWrites(session),
    ...attachments.flatMap(attachmentWrites),
    ...countWrites("ATTACHMENT", attachments),
    ...(before.secretId === run.secretId
      ? []
      : [
          ...(await useEndWrites(table, before)),
          ...(await secretWrites(table, { ...run, secret }, [run], nowMs)),
        ]),
  ];
}
