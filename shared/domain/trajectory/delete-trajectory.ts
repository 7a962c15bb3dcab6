import { type Caller, requireScope } from "../access/caller.ts";
import { isoTimestamp } from "../clock.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import { type TrajectoryDeps, trajectoryNotFound } from "./trajectory-deps.ts";

/**
 * Hides the trajectory at once, in one write. Its data is seen to by the stream's reader
 * (`finish-trajectory-deletion.ts`), which comes after the commit and again if it fails.
 *
 * @throws {DomainError} `insufficient_scope` or `not_found`.
 * @throws {AlreadyOnRecord}
 */
export async function deleteTrajectory(
  deps: Pick<TrajectoryDeps, "trajectories" | "clock">,
  caller: Caller,
  input: { readonly trajectoryId: string; readonly idempotency?: Idempotency | undefined },
): Promise<void> {
  requireScope(caller, "write");
  const { trajectoryId, idempotency } = input;
  const deletedAt = isoTimestamp(deps.clock.now());
  if (!(await deps.trajectories.markDeleted(caller.organizationId, trajectoryId, deletedAt, idempotency))) {
    throw trajectoryNotFound(trajectoryId);
  }
}
