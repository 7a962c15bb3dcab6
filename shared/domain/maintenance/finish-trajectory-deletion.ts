import type { FileStore } from "../file-store.ts";
import type { OrganizationId } from "../organization-id.ts";
import { removeSpilled } from "../spill.ts";
import type { TrajectoryStore } from "../trajectory/trajectory-store.ts";
import { finishDeletionOf } from "./finish-deletion.ts";

export interface FinishTrajectoryDeletionDeps {
  readonly trajectories: Pick<TrajectoryStore, "findDeleted" | "remove">;
  readonly files: Pick<FileStore, "spillKey" | "put" | "get" | "remove">;
}

export async function finishTrajectoryDeletion(
  deps: FinishTrajectoryDeletionDeps,
  organizationId: OrganizationId,
  trajectoryId: string,
): Promise<boolean> {
  return await finishDeletionOf(
    deps.trajectories,
    organizationId,
    trajectoryId,
    async ({ data, screens }) => {
      await removeSpilled(deps, [data, screens]);
    },
  );
}
