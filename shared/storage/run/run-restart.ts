import type { RecordedResponse, RestartedRun, RestartRunOutcome } from "../../domain/run/run-store.ts";
import { attachmentWrites } from "../attachment/attachment-item.ts";
import { countWrites } from "../table/counters.ts";
import type { DynamoTable } from "../table/dynamo-table.ts";
import { allOf, isAsRead, put } from "../table/expression.ts";
import { newSessionWrite } from "./run-creation.ts";
import { runItem } from "./run-item.ts";
import { transactQueueing } from "./run-queueing.ts";
import { secretWrite, useEndWrite } from "./run-secret.ts";
import { isEnded } from "./run-update.ts";

/** @throws {AlreadyOnRecord} */
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
    await restartParts(table, restarted, nowMs),
    { idempotency: answer?.idempotency, result: answer?.result, nowMs },
  );
  if (failed !== undefined || result === undefined) return { kind: "changed" };
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

async function restartParts(
  table: DynamoTable,
  { before, run, session, attachments, secret }: RestartedRun,
  nowMs: number,
) {
  const isOther = before.secretId !== run.secretId;
  return {
    run: put(runItem(run), allOf(isAsRead(before), isEnded)),
    session: newSessionWrite(session),
    attachments: attachments.flatMap(attachmentWrites),
    counts: countWrites("ATTACHMENT", attachments),
    // The condition fails where the uses have changed.
    use: isOther ? await useEndWrite(table, before) : undefined,
    secret: isOther ? await secretWrite(table, { ...run, secret }, [run], nowMs) : undefined,
  };
}
