import type { Caller } from "../access/caller.ts";
import type { Edit } from "../entity/edition.ts";
import { hideEntity } from "../entity/hide-entity.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import { type TrajectoryDeps, trajectoryNotFound } from "./trajectory-deps.ts";

/**
 * The stream's reader (`finish-trajectory-deletion.ts`) removes the hidden trajectory's data.
 * @throws {DomainError} `insufficient_scope` or `not_found`. @throws {AlreadyOnRecord}
 */
export async function deleteTrajectory(
  deps: Pick<TrajectoryDeps, "trajectories" | "clock">,
  caller: Caller,
  { trajectoryId: id, ifEdition }: Edit & { readonly trajectoryId: string },
  idempotency?: Idempotency,
): Promise<void> {
  if (
    !(await hideEntity(
      { store: deps.trajectories, clock: deps.clock },
      caller,
      { id, ifEdition },
      idempotency,
    ))
  )
    throw trajectoryNotFound(id);
}
