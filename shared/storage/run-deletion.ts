import type { Claim } from "../domain/idempotency/claim.ts";
import { countWrite } from "./counters.ts";
import type { DynamoTable } from "./dynamo-table.ts";
import type { Change, Write } from "./expression.ts";
import { dueSortKey, duePartitions, runKey } from "./keys.ts";
import { isLiving } from "./machine-update.ts";
import { transactOnce } from "./transact-once.ts";

/** How often a run may change its state between two attempts. */
const attemptsMax = 4;

/**
 * Hides a run in one transaction. A running one is cancelled by the same write; that it was running, the first attempt
 * tells by failing.
 *
 * @returns false when there is no such run.
 * @throws {ClaimTaken}
 */
export async function markRunDeleted(
  table: DynamoTable,
  run: { readonly organizationId: string; readonly id: string },
  deletedAt: string,
  claim: Claim | undefined,
  nowMs: number,
): Promise<boolean> {
  for (let attempt = 0, isRunning = false; attempt < attemptsMax; attempt += 1, isRunning = !isRunning) {
    const outcome = await transactOnce(table, deletionWrites(run, deletedAt, isRunning), {
      claim,
      result: null,
      nowMs,
    });
    if (outcome.kind === "written") return true;
    const item = outcome.failed.get(0);
    if (item === undefined || item.deleted_at !== undefined) return false;
  }
  throw new Error("the run changed its state again and again while it was to be deleted");
}

function deletionWrites(
  run: { readonly organizationId: string; readonly id: string },
  deletedAt: string,
  isRunning: boolean,
): readonly Write[] {
  const condition = {
    expression: `${isLiving} AND status ${isRunning ? "=" : "<>"} :running`,
    values: { running: "running" },
  };
  const change: Change = {
    set: {
      deleted_at: deletedAt,
      due_pk: duePartitions.deletedRuns,
      due_sk: dueSortKey(Date.parse(deletedAt), run.id),
      ...(isRunning ? { status: "cancelled", ended_at: deletedAt } : {}),
    },
    remove: ["list", "filter1", "filter2", "filter3", "filter4"].flatMap((index) => [
      `${index}_pk`,
      `${index}_sk`,
    ]),
    add: { revision: 1 },
  };
  return [
    { kind: "update", key: runKey(run.organizationId, run.id), change, condition },
    countWrite("RUN", run, -1),
  ];
}
