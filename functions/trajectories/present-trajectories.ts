import type { IncludedWorkflow, TrajectoryField, TrajectoryItem } from "../../shared/contract/trajectory.ts";
import type { Json } from "../../shared/domain/json.ts";
import type { Trajectory } from "../../shared/domain/trajectory/trajectory.ts";
import type { Workflow } from "../../shared/domain/workflow/workflow.ts";
import { presentTrajectory, presentWithoutData } from "../../shared/present/present-trajectory.ts";
import { presentWorkflow } from "../../shared/present/present-workflow.ts";

const alwaysThere: readonly TrajectoryField[] = ["id", "workflow_id", "is_approved", "created_at"];

/** A trajectory in a list: without its data, or only with the requested fields. */
export function presentItem(
  trajectory: Trajectory,
  data: readonly Json[] | null,
  fields: readonly TrajectoryField[] | undefined,
): TrajectoryItem {
  if (fields === undefined) return presentWithoutData(trajectory);
  const named = new Set<string>([...alwaysThere, ...fields]);
  const whole = Object.entries(presentTrajectory(trajectory, data));
  // Includes the fields of `alwaysThere`.
  return Object.fromEntries(whole.filter(([name]) => named.has(name))) as TrajectoryItem;
}

export function presentIncluded(workflows: readonly Workflow[]): IncludedWorkflow[] {
  return workflows.map((workflow) => ({ type: "workflow", ...presentWorkflow(workflow) }));
}
