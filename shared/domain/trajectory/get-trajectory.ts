import { type Caller, requireScope } from "../access/caller.ts";
import type { Trajectory } from "./trajectory.ts";
import { type TrajectoryDeps, trajectoryNotFound } from "./trajectory-deps.ts";

/** @throws {DomainError} `insufficient_scope` or `not_found`. */
export async function getTrajectory(
  deps: Pick<TrajectoryDeps, "trajectories">,
  caller: Caller,
  input: { readonly trajectoryId: string },
): Promise<Trajectory> {
  requireScope(caller, "read");
  const trajectory = await deps.trajectories.find(caller.organizationId, input.trajectoryId);
  if (trajectory === undefined) throw trajectoryNotFound(input.trajectoryId);
  return trajectory;
}
