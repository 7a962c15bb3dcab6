import type { MachineStore } from "../machine/machine-store.ts";
import { forEachBounded } from "./bounded-parallel.ts";
import { type FinishMachineDeletionDeps, finishMachineDeletion } from "./finish-machine-deletion.ts";

const machinesPerRun = 100;

/** Until then the projector is expected to finish a deletion by itself. */
export const projectorGraceMs = 2 * 60_000;

export interface FinishDueDeletionsDeps extends FinishMachineDeletionDeps {
  readonly machines: Pick<MachineStore, "findDeleted" | "remove" | "listDeletedDue">;
}

/**
 * Finishes the deletions of machines that the projector gave up or never heard of.
 *
 * @returns how many.
 */
export async function finishDueDeletions(deps: FinishDueDeletionsDeps): Promise<number> {
  const due = await deps.machines.listDeletedDue(machinesPerRun);
  const before = deps.clock.now() - projectorGraceMs;
  const overdue = due.filter(({ deletedAt }) => deletedAt !== null && Date.parse(deletedAt) < before);
  return await forEachBounded(overdue, async (machine) => {
    await finishMachineDeletion(deps, machine.organizationId, machine.id);
  });
}
