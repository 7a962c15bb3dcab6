import type { Trajectory as WireTrajectory } from "../contract/trajectory.ts";
import type { Json } from "../domain/json.ts";
import type { Trajectory } from "../domain/trajectory/trajectory.ts";

/** Names every field, so that nothing else leaks. */
export function presentTrajectory(trajectory: Trajectory, data: readonly Json[] | null): WireTrajectory {
  return { ...presentWithoutData(trajectory), trajectory_data: data && [...data] };
}

export function presentWithoutData(trajectory: Trajectory): Omit<WireTrajectory, "trajectory_data"> {
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
    original_input_values: originalInputValues && { ...originalInputValues },
    created_at: trajectory.createdAt,
    updated_at: trajectory.updatedAt,
  };
}
