import { type Caller, requireScope } from "../access/caller.ts";
import { isoTimestamp } from "../clock.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import type { Json } from "../json.ts";
import { workflowNotFound } from "../workflow/workflow-deps.ts";
import { keepData } from "./keep-data.ts";
import type { Trajectory } from "./trajectory.ts";
import type { TrajectoryDeps } from "./trajectory-deps.ts";

type Described = Pick<
  Trajectory,
  "name" | "description" | "dimensions" | "isApproved" | "originalInputValues"
>;

export interface CreateTrajectoryInput extends Partial<Described> {
  readonly workflowId: string;
  /** At least one action. */
  readonly data: readonly Json[];
}

/**
 * Creates a trajectory of an existing workflow.
 *
 * @throws {DomainError} `insufficient_scope` or `not_found` for the workflow.
 * @throws {AlreadyOnRecord}
 */
export async function createTrajectory(
  deps: TrajectoryDeps,
  caller: Caller,
  input: CreateTrajectoryInput,
  idempotency?: Idempotency,
): Promise<Trajectory> {
  requireScope(caller, "write");
  const { organizationId, userId } = caller;
  const { data: value, workflowId, ...described } = input;
  return await keepData(deps, { organizationId }, value, idempotency, async (kept) => {
    const createdAt = isoTimestamp(deps.clock.now());
    const trajectory: Trajectory = {
      id: kept.trajectoryId,
      organizationId,
      userId,
      workflowId,
      name: "",
      description: "",
      dimensions: null,
      isApproved: false,
      originalInputValues: null,
      screens: null,
      isMain: false,
      ...described,
      data: kept.data,
      createdAt,
      updatedAt: createdAt,
      deletedAt: null,
      revision: 1,
    };
    const outcome = await deps.trajectories.create(trajectory, kept.idempotency);
    if (outcome.kind === "workflow_not_found") throw workflowNotFound(workflowId);
    return trajectory;
  });
}
