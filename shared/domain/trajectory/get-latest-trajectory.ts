import type { Caller } from "../access/caller.ts";
import { getEntity } from "../entity/read-entities.ts";
import { DomainError } from "../errors.ts";
import type { WorkflowStore } from "../workflow/workflow-store.ts";
import type { Trajectory } from "./trajectory.ts";
import type { TrajectoryStore } from "./trajectory-store.ts";

/** @throws {DomainError} `insufficient_scope`, or `not_found` for the workflow or because it has no trajectory. */
export async function getLatestTrajectory(
  deps: {
    readonly workflows: Pick<WorkflowStore, "find">;
    readonly trajectories: Pick<TrajectoryStore, "findLatest">;
  },
  caller: Caller,
  input: { readonly workflowId: string },
): Promise<Trajectory> {
  const { id, organizationId } = await getEntity(deps.workflows, caller, "workflow", input.workflowId);
  const trajectory = await deps.trajectories.findLatest(organizationId, id);
  if (trajectory === undefined) throw new DomainError("not_found", `the workflow ${id} has no trajectory`);
  return trajectory;
}
