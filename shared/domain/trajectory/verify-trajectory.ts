import { type Caller, requireScope } from "../access/caller.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import { type CreateRunInput, createRun } from "../run/create/create-run.ts";
import type { Run } from "../run/run.ts";
import type { RunDeps } from "../run/run-deps.ts";
import { trajectoryNotFound } from "./trajectory-deps.ts";
import type { TrajectoryStore } from "./trajectory-store.ts";

export interface VerifyTrajectoryDeps extends RunDeps {
  readonly trajectories: Pick<TrajectoryStore, "find">;
}

export interface VerifyTrajectoryInput
  extends Pick<CreateRunInput, "machineId" | "poolIds" | "inputValues" | "sensitiveValues" | "dryRunUntil"> {
  readonly trajectoryId: string;
}

/**
 * The verification does the work again, by default with the recording's inputs; success verifies the trajectory
 * (`recordVerified`).
 *
 * @throws {InvalidInput} as `createRun`.
 * @throws {DomainError} as `createRun`, and `conflict` where a worker carries out the workflow's runs.
 * @throws {AlreadyOnRecord}
 */
export async function verifyTrajectory(
  deps: VerifyTrajectoryDeps,
  caller: Caller,
  { trajectoryId, inputValues, ...input }: VerifyTrajectoryInput,
  idempotency?: Idempotency,
): Promise<Run> {
  requireScope(caller, "write");
  const trajectory = await deps.trajectories.find(caller.organizationId, trajectoryId);
  if (trajectory === undefined) throw trajectoryNotFound(trajectoryId);
  const { workflowId, originalInputValues } = trajectory;
  const whole = { ...originalInputValues, ...inputValues };
  return await createRun(
    deps,
    caller,
    { ...input, workflowId, trajectoryId, inputValues: whole },
    idempotency,
  );
}
