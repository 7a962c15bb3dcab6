import { type Caller, requireScope } from "../access/caller.ts";
import { isoTimestamp } from "../clock.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import { type TrajectoryDeps, trajectoryNotFound } from "./trajectory-deps.ts";

/**
 * Hides the trajectory at once, in one write. The stream's reader (`finish-trajectory-deletion.ts`) removes its data
 * after the commit, and retries on failure.
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
