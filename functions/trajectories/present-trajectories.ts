import type {
  TrajectoryField,
  TrajectoryItem,
  WrittenTrajectory,
} from "../../shared/contract/trajectory/trajectory.ts";
import type { IncludedWorkflow } from "../../shared/contract/workflow.ts";
import type { ListedTrajectory, TrajectoryContent } from "../../shared/domain/trajectory/read-data.ts";
import type { Trajectory } from "../../shared/domain/trajectory/trajectory.ts";
import type { Warned } from "../../shared/domain/trajectory/trajectory-store.ts";
import type { Workflow } from "../../shared/domain/workflow/workflow.ts";
import { presentTrajectory, presentWithoutContent } from "../../shared/present/present-trajectory.ts";
import { presentWorkflow } from "../../shared/present/present-workflow.ts";

const omittedFromLists: readonly TrajectoryField[] = ["expect", "checks", "reset"];
const alwaysThere: readonly TrajectoryField[] = ["id", "workflow_id", "is_approved", "created_at"];

export function presentWritten(
  trajectory: Trajectory & Warned,
  content: TrajectoryContent | null,
): WrittenTrajectory {
  const { warnings } = trajectory;
  return { ...presentTrajectory(trajectory, content), ...(warnings && { warnings: [...warnings] }) };
}

export function presentListed({ trajectory, data }: ListedTrajectory): TrajectoryItem {
  return {
    ...presentWithoutContent(trajectory),
    trajectory_data: data && [...data],
    omitted_fields: [...(data === null ? (["trajectory_data"] as const) : []), ...omittedFromLists],
  };
}

export function presentItem(
  trajectory: Trajectory,
  content: TrajectoryContent | null,
  fields: readonly TrajectoryField[],
): TrajectoryItem {
  const named = new Set<string>([...alwaysThere, ...fields]);
  const whole = Object.entries(presentTrajectory(trajectory, content));
  // Includes the fields of `alwaysThere`.
  return Object.fromEntries(whole.filter(([name]) => named.has(name))) as TrajectoryItem;
}

export function presentIncludedWorkflows(workflows: readonly Workflow[]): IncludedWorkflow[] {
  return workflows.map((workflow) => ({ type: "workflow", ...presentWorkflow(workflow) }));
}
