import { forEachBounded } from "../../bounded-parallel.ts";
import type { MachineStore } from "../../machine/machine-store.ts";
import { type ClearReservationDeps, finishClearing } from "../../reservation/clear-reservation.ts";

const machinesPerRun = 100;

/** The request that started the clearing has ended within this time. */
const clearingGraceMs = 60_000;

export interface FinishDueClearingsDeps extends Omit<ClearReservationDeps, "machines"> {
  readonly machines: ClearReservationDeps["machines"] & Pick<MachineStore, "find" | "listClearingDue">;
}

/** Finishes interrupted PATCHes of `reserved_session_id`. */
export async function finishDueClearings(deps: FinishDueClearingsDeps): Promise<number> {
  const beforeMs = deps.clock.now() - clearingGraceMs;
  const due = await deps.machines.listClearingDue(machinesPerRun);
  let finished = 0;
  const overdue = due.filter(
    ({ clearingSince }) => clearingSince !== null && Date.parse(clearingSince) < beforeMs,
  );
  await forEachBounded(overdue, async ({ organizationId, id }) => {
    if (await finishClearing(deps, organizationId, id)) finished += 1;
  });
  return finished;
}
