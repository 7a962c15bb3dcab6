import type { Run } from "../../domain/run/run.ts";
import type { DynamoTable } from "../table/dynamo-table.ts";
import { isAsRead, put } from "../table/expression.ts";
import { executionOver, machineFreed } from "./run-end.ts";
import { runItem } from "./run-item.ts";
import { transactQueueing } from "./run-queueing.ts";

/** @returns false if the run has changed since, or one of its pools is gone. */
export async function rescheduleRun(
  table: DynamoTable,
  before: Run,
  run: Run,
  nowMs: number,
): Promise<boolean> {
  const required = { workflowIds: [], machineIds: [], poolIds: run.poolIds, sessionIds: [] };
  const { result } = await transactQueueing(
    table,
    { organizationId: run.organizationId, runs: [run], session: undefined, required },
    {
      run: put(runItem(run), isAsRead(before)),
      machine: machineFreed(before),
      execution: executionOver(before),
    },
    { idempotency: undefined, result: undefined, nowMs },
  );
  return result?.kind === "queued";
}
