import { type Caller, requireScope } from "../access/caller.ts";
import { isoTimestamp } from "../clock.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import type { Json } from "../json.ts";
import { keepData } from "./keep-data.ts";
import type { Trajectory } from "./trajectory.ts";
import { type TrajectoryDeps, trajectoryNotFound } from "./trajectory-deps.ts";
import type { TrajectoryChange } from "./trajectory-store.ts";

export interface UpdateTrajectoryInput extends Omit<TrajectoryChange, "data" | "updatedAt"> {
  readonly trajectoryId: string;
  /** Replaces all of it. */
  readonly data?: readonly Json[];
}

/**
 * Changes the fields given and leaves the others. The stream's reader (`readTableChange`) removes the object that new
 * data replaces after the commit, and retries on failure.
 *
 * @throws {DomainError} `insufficient_scope` or `not_found`.
 * @throws {AlreadyOnRecord}
 */
export async function updateTrajectory(
  deps: TrajectoryDeps,
  caller: Caller,
  input: UpdateTrajectoryInput,
  idempotency?: Idempotency,
): Promise<Trajectory> {
  requireScope(caller, "write");
  const { organizationId } = caller;
  const { trajectoryId, data: value, ...fields } = input;
  const change = { ...fields, updatedAt: isoTimestamp(deps.clock.now()) };
  const write = async (whole: TrajectoryChange, under: Idempotency | undefined) => {
    const trajectory = await deps.trajectories.update(organizationId, trajectoryId, whole, under);
    if (trajectory === undefined) throw trajectoryNotFound(trajectoryId);
    return trajectory;
  };
  if (value === undefined) return await write(change, idempotency);
  const place = { organizationId, trajectoryId };
  return await keepData(deps, place, value, idempotency, (kept) =>
    write({ ...change, data: kept.data }, kept.idempotency),
  );
}
