import { type Caller, requireScope } from "../access/caller.ts";
import { isoMoment } from "../clock.ts";
import type { Claim } from "../idempotency/claim.ts";
import { type TrajectoryDeps, trajectoryNotFound } from "./trajectory-deps.ts";

/**
 * Hides the trajectory at once, in one write. Its data is seen to by the stream's reader
 * (`finish-trajectory-deletion.ts`), which comes after the commit and again if it fails.
 *
 * @throws {DomainError} `insufficient_scope` or `not_found`.
 * @throws {ClaimTaken}
 */
export async function deleteTrajectory(
  deps: Pick<TrajectoryDeps, "trajectories" | "clock">,
  caller: Caller,
  input: { readonly trajectoryId: string; readonly claim?: Claim | undefined },
): Promise<void> {
  requireScope(caller, "write");
  const { trajectoryId, claim } = input;
  const deletedAt = isoMoment(deps.clock.now());
  if (!(await deps.trajectories.markDeleted(caller.organizationId, trajectoryId, deletedAt, claim))) {
    throw trajectoryNotFound(trajectoryId);
  }
}
