import { type Caller, requireScope } from "../access/caller.ts";
import { isoTimestamp } from "../clock.ts";
import { notFound } from "../entity/not-found.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import type { Json } from "../json.ts";
import { judgeApproval, warningsOf } from "./approval/judge-approval.ts";
import { hasScreens, keepData } from "./keep-data.ts";
import { newTrajectory, type Trajectory } from "./trajectory.ts";
import type { TrajectoryDeps } from "./trajectory-deps.ts";
import type { TrajectoryScreens } from "./trajectory-element.ts";
import type { TrajectoryStore, Warned } from "./trajectory-store.ts";

type Described = Pick<
  Trajectory,
  "name" | "description" | "dimensions" | "isApproved" | "originalInputValues" | "isGenerated" | "runId"
>;

export interface CreateTrajectoryDeps extends Omit<TrajectoryDeps, "trajectories"> {
  readonly trajectories: Pick<TrajectoryStore, "create">;
}

export interface CreateTrajectoryInput extends Partial<Described>, Partial<TrajectoryScreens> {
  readonly workflowId: string;
  readonly data: readonly Json[];
}

/**
 * @throws {InvalidInput} for an approved one that could not be replayed.
 * @throws {DomainError} `insufficient_scope` or `not_found` for the workflow. @throws {AlreadyOnRecord}
 */
export async function createTrajectory(
  deps: CreateTrajectoryDeps,
  caller: Caller,
  input: CreateTrajectoryInput,
  idempotency?: Idempotency,
): Promise<Trajectory & Warned> {
  requireScope(caller, "write");
  const { organizationId, userId } = caller;
  const { data, workflowId, expect = [], checks = [], reset = [], ...rest } = input;
  const { endsElsewhere, resetLacks, ...described } = rest;
  const { isApproved = false, isGenerated = false, originalInputValues = null } = described;
  const screens: TrajectoryScreens = {
    expect,
    checks,
    reset,
    ...(endsElsewhere && { endsElsewhere }),
    ...(resetLacks && { resetLacks }),
  };
  const judged = { organizationId, workflowId, verifiedAt: null, data, ...screens, originalInputValues };
  const warns = isApproved ? judgeApproval : isGenerated ? warningsOf : undefined;
  const warned = warns && { warnings: await warns(deps, judged) };
  const values = { data, ...(hasScreens(screens) && { screens }) };
  return await keepData(
    deps,
    { organizationId },
    values,
    idempotency,
    async ({ trajectoryId, kept, ...under }) => {
      const trajectory: Trajectory & Warned = {
        ...newTrajectory({
          id: trajectoryId,
          organizationId,
          userId,
          workflowId,
          hasBeenApproved: isApproved,
          ...described,
          ...kept,
          createdAt: isoTimestamp(deps.clock.now()),
        }),
        ...warned,
      };
      const outcome = await deps.trajectories.create(trajectory, under.idempotency);
      if (outcome.kind === "workflow_not_found") throw notFound("workflow", workflowId);
      return trajectory;
    },
  );
}
