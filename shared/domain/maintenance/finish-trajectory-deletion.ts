import type { OrganizationId } from "../access/organization-id.ts";
import type { FileStore } from "../file-store.ts";
import { removeSpilled } from "../spill.ts";
import type { TrajectoryStore } from "../trajectory/trajectory-store.ts";

export interface FinishTrajectoryDeletionDeps {
  readonly trajectories: Pick<TrajectoryStore, "findDeleted" | "remove">;
  readonly files: Pick<FileStore, "spillKey" | "put" | "get" | "remove">;
}

/**
 * Finishes a trajectory's deletion: removes its data, then its row, so that an interrupted deletion can start from the
 * top.
 *
 * @returns false when there was nothing left to do.
 */
export async function finishTrajectoryDeletion(
  deps: FinishTrajectoryDeletionDeps,
  organizationId: OrganizationId,
  trajectoryId: string,
): Promise<boolean> {
  const trajectory = await deps.trajectories.findDeleted(organizationId, trajectoryId);
  if (!trajectory) return false;
  await removeSpilled(deps, [trajectory.data]);
  await deps.trajectories.remove(organizationId, trajectoryId);
  return true;
}
