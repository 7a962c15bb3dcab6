import type {
  CreateTrajectoryBody,
  TrajectoriesQuery,
  UpdateTrajectoryBody,
} from "../../shared/contract/trajectory/trajectory.ts";
import type { CreateTrajectoryInput } from "../../shared/domain/trajectory/create-trajectory.ts";
import type { TrajectoryFilter } from "../../shared/domain/trajectory/trajectory-store.ts";
import type { UpdateTrajectoryInput } from "../../shared/domain/trajectory/update-trajectory.ts";
import { given, inCamelCase } from "../../shared/http/request/given.ts";

export function createInput(body: CreateTrajectoryBody): CreateTrajectoryInput {
  const { trajectory_data: data, workflow_id: workflowId, ...fields } = body;
  return { ...given(inCamelCase(fields)), workflowId, data };
}

export function updateInput(trajectoryId: string, body: UpdateTrajectoryBody): UpdateTrajectoryInput {
  const { trajectory_data: data, ...fields } = body;
  return { ...given({ ...inCamelCase(fields), data }), trajectoryId };
}

export function trajectoryFilter(query: TrajectoriesQuery): TrajectoryFilter {
  return given({
    workflowId: query.workflow_id,
    isApproved: query.is_approved,
    runId: query.run_id,
    search: query.search,
    createdAtFrom: query.created_at_from,
    createdAtTo: query.created_at_to,
    updatedAtFrom: query.updated_at_from,
    updatedAtTo: query.updated_at_to,
  });
}
