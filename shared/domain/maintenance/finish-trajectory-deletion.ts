import type { Clock } from "../clock.ts";
import type { FileStore } from "../file-store.ts";
import { removeSpilled } from "../spill.ts";
import type { TrajectoryStore } from "../trajectory/trajectory-store.ts";
import { forEachBounded } from "./bounded-parallel.ts";
import { projectorGraceMs } from "./finish-due-deletions.ts";

export interface FinishTrajectoryDeletionDeps {
  readonly trajectories: Pick<TrajectoryStore, "findDeleted" | "remove">;
  readonly files: Pick<FileStore, "spillKey" | "put" | "get" | "remove">;
}

const trajectoriesPerRun = 100;

/**
 * Does what a trajectory's deletion left for later: its data goes, then its row, so that until the end whoever finds
 * the row can begin from the top.
 *
 * @returns false when there was nothing left to do.
 */
export async function finishTrajectoryDeletion(
  deps: FinishTrajectoryDeletionDeps,
  organizationId: string,
  trajectoryId: string,
): Promise<boolean> {
  const trajectory = await deps.trajectories.findDeleted(organizationId, trajectoryId);
  if (!trajectory) return false;
  await removeSpilled(deps, [trajectory.data]);
  await deps.trajectories.remove(organizationId, trajectoryId);
  return true;
}

export interface FinishDueTrajectoryDeletionsDeps extends FinishTrajectoryDeletionDeps {
  readonly trajectories: FinishTrajectoryDeletionDeps["trajectories"] &
    Pick<TrajectoryStore, "listDeletedDue">;
  readonly clock: Pick<Clock, "now">;
}

/** Finishes the deletions that the projector gave up or never heard of. @returns how many. */
export async function finishDueTrajectoryDeletions(deps: FinishDueTrajectoryDeletionsDeps): Promise<number> {
  const due = await deps.trajectories.listDeletedDue(trajectoriesPerRun);
  const before = deps.clock.now() - projectorGraceMs;
  const overdue = due.filter(({ deletedAt }) => deletedAt !== null && Date.parse(deletedAt) < before);
  return await forEachBounded(overdue, async ({ organizationId, id }) => {
    await finishTrajectoryDeletion(deps, organizationId, id);
  });
}
