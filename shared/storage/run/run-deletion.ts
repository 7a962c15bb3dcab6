import type { Idempotency } from "../../domain/idempotency/idempotency.ts";
import type { OrganizationId } from "../../domain/organization-id.ts";
import type { Run } from "../../domain/run/run.ts";
import { isTerminal } from "../../domain/run/run-status.ts";
import { countWrite } from "../table/counters.ts";
import type { StoreDeps } from "../table/dynamo-table.ts";
import { allOf, type Change, living, update } from "../table/expression.ts";
import { runKey } from "../table/keys.ts";
import { writeRun } from "./run-end.ts";
import { isEnded } from "./run-update.ts";

/** The first attempt assumes that the run has ended. @throws {AlreadyOnRecord} @throws {ChangedTooOften} */
export async function markRunDeleted(
  deps: StoreDeps,
  run: { readonly organizationId: OrganizationId; readonly id: string },
  { deletedAt, change }: { readonly deletedAt: string; readonly change: Change },
  idempotency: Idempotency | undefined,
): Promise<boolean> {
  const key = runKey(run.organizationId, run.id);
  const count = countWrite("RUN", run, -1);
  const done = { outcome: true, result: null };
  return await writeRun<boolean>(deps, { run: undefined, idempotency }, (before, failures) => {
    if (failures && before?.deletedAt !== null) return { refused: false };
    if (!before || isTerminal(before.status)) {
      const condition = allOf(living, isEnded);
      return { parts: { run: update(key, change, condition), count }, ...done };
    }
    const after: Run = { ...before, status: "cancelled", endedAt: deletedAt, deletedAt };
    const cancelled = { ...change, set: { ...change.set, status: "cancelled", ended_at: deletedAt } };
    const end = { before, after, endedAt: deletedAt, change: cancelled, condition: living, count };
    return { end, ...done };
  });
}
