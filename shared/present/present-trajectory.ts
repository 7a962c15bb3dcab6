import type { Trajectory as WireTrajectory } from "../contract/trajectory/trajectory.ts";
import type { TrajectoryContent } from "../domain/trajectory/read-data.ts";
import type { Trajectory } from "../domain/trajectory/trajectory.ts";

export function presentTrajectory(trajectory: Trajectory, content: TrajectoryContent | null): WireTrajectory {
  const { data = null, screens = null } = content ?? {};
  return {
    ...presentWithoutContent(trajectory),
    is_generated: data !== null,
    trajectory_data: data && [...data],
    expect: screens && [...screens.expect],
    checks: screens && [...screens.checks],
    reset: screens && [...screens.reset],
  };
}

export function presentWithoutContent(
  trajectory: Trajectory,
): Omit<WireTrajectory, "trajectory_data" | "expect" | "checks" | "reset"> {
  const { dimensions, originalInputValues } = trajectory;
  return {
    id: trajectory.id,
    workflow_id: trajectory.workflowId,
    organization_id: trajectory.organizationId,
    user_id: trajectory.userId,
    name: trajectory.name,
    description: trajectory.description,
    dimensions: dimensions && { ...dimensions },
    is_approved: trajectory.isApproved,
    has_been_approved: trajectory.hasBeenApproved,
    is_main: trajectory.isMain,
    verified_at: trajectory.verifiedAt,
    is_generated: true,
    run_id: trajectory.runId,
    original_input_values: originalInputValues && { ...originalInputValues },
    created_at: trajectory.createdAt,
    updated_at: trajectory.updatedAt,
  };
}
