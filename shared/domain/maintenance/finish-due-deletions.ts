import type { Clock } from "../clock.ts";
import type { MachineStore } from "../machine/machine-store.ts";
import { forEachBounded } from "./bounded-parallel.ts";
import type { PoolStore } from "../pool/pool-store.ts";
import { type FinishMachineDeletionDeps, finishMachineDeletion } from "./finish-machine-deletion.ts";
import { type FinishPoolDeletionDeps, finishPoolDeletion } from "./finish-pool-deletion.ts";

const machinesPerRun = 100;
const poolsPerRun = 100;

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
  return await forEachBounded(due.filter(isOverdue(deps)), async (machine) => {
    await finishMachineDeletion(deps, machine.organizationId, machine.id);
  });
}

export interface FinishDuePoolDeletionsDeps extends FinishPoolDeletionDeps {
  readonly pools: Pick<PoolStore, "findDeleted" | "remove" | "listDeletedDue">;
  readonly clock: Pick<Clock, "now">;
}

/**
 * The same for pools.
 *
 * @returns how many.
 */
export async function finishDuePoolDeletions(deps: FinishDuePoolDeletionsDeps): Promise<number> {
  const due = await deps.pools.listDeletedDue(poolsPerRun);
  return await forEachBounded(due.filter(isOverdue(deps)), async (pool) => {
    await finishPoolDeletion(deps, pool.organizationId, pool.id);
  });
}

function isOverdue({ clock }: { readonly clock: Pick<Clock, "now"> }) {
  const before = clock.now() - projectorGraceMs;
  return ({ deletedAt }: { readonly deletedAt: string | null }) =>
    deletedAt !== null && Date.parse(deletedAt) < before;
}
