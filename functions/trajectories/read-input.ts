import type {
  CreateTrajectoryBody,
  TrajectoriesQuery,
  UpdateTrajectoryBody,
} from "../../shared/contract/trajectory.ts";
import type { CreateTrajectoryInput } from "../../shared/domain/trajectory/create-trajectory.ts";
import type { TrajectoryFilter } from "../../shared/domain/trajectory/trajectory-store.ts";
import type { UpdateTrajectoryInput } from "../../shared/domain/trajectory/update-trajectory.ts";
import { given } from "../../shared/http/request/given.ts";

export function createInput(body: CreateTrajectoryBody): CreateTrajectoryInput {
  return { workflowId: body.workflow_id, data: body.trajectory_data, ...described(body) };
}

export function updateInput(trajectoryId: string, body: UpdateTrajectoryBody): UpdateTrajectoryInput {
  return { trajectoryId, ...given({ data: body.trajectory_data }), ...described(body) };
}

function described(body: UpdateTrajectoryBody) {
  return given({
    name: body.name,
    description: body.description,
    dimensions: body.dimensions,
    isApproved: body.is_approved,
    originalInputValues: body.original_input_values,
  });
}

export function trajectoryFilter(query: TrajectoriesQuery): TrajectoryFilter {
  return given({
    workflowId: query.workflow_id,
    isApproved: query.is_approved,
    search: query.search,
    createdAtFrom: query.created_at_from,
    createdAtTo: query.created_at_to,
  });
}
