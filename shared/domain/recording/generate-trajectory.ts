import { trajectoryBytesMax } from "../../vocabulary/trajectories.ts";
import { type Caller, requireScope } from "../access/caller.ts";
import { required } from "../entity/not-found.ts";
import { DomainError } from "../errors.ts";
import type { FileStore } from "../file-store.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import { jsonBytes } from "../json.ts";
import { planOfRun } from "../plan/plan-file.ts";
import { isTerminal } from "../run/run-status.ts";
import type { RunStore } from "../run/run-store.ts";
import type { StepReader } from "../run-step/step-reader.ts";
import { unspill } from "../spill.ts";
import { createTrajectory } from "../trajectory/create-trajectory.ts";
import type { Trajectory } from "../trajectory/trajectory.ts";
import type { TrajectoryDeps } from "../trajectory/trajectory-deps.ts";
import type { Warned } from "../trajectory/trajectory-store.ts";
import { inputsOfRecording } from "./inputs-of-recording.ts";
import { dataOf, recordSteps } from "./record-steps.ts";

export interface GenerateDeps extends TrajectoryDeps {
  readonly files: TrajectoryDeps["files"] & Pick<FileStore, "stepKey">;
  readonly runs: Pick<RunStore, "find">;
  readonly executions: Pick<StepReader, "listSteps">;
}

export const stepsMax = 1_000;

/** The response must be in time, so the elements that remain are left to a model. */
const cuttingMs = 15_000;

/**
 * @throws {DomainError} `insufficient_scope`, `not_found`, `conflict` when the run has not ended or has no steps left,
 * or `answer_too_large`. @throws {AlreadyOnRecord}
 */
export async function generateTrajectory(
  deps: GenerateDeps,
  caller: Caller,
  { runId }: { readonly runId: string },
  idempotency?: Idempotency,
): Promise<Trajectory & Warned> {
  requireScope(caller, "write");
  const { organizationId } = caller;
  const run = required(await deps.runs.find(organizationId, runId), "run", runId);
  if (!isTerminal(run.status)) {
    throw new DomainError("conflict", `the run is ${run.status}: a trajectory is made of one that has ended`);
  }
  const { items } = await deps.executions.listSteps(organizationId, runId, { skip: 0, limit: stepsMax });
  const steps = items.filter(({ attempt }) => attempt === run.attempt);
  const last = steps.findLast(({ status }) => status === "done");
  if (last === undefined) {
    throw new DomainError(
      "conflict",
      "the run has no steps that a trajectory could be made of, or none any more",
    );
  }
  const plan = await planOfRun(deps, run, last);
  const made = await recordSteps(deps, {
    steps,
    plan,
    inputs: run.inputValues,
    isSuccess: run.status === "success",
    output: await unspill(deps, run.outputData),
    untilMs: deps.clock.now() + cuttingMs,
  });
  const data = dataOf(made.elements);
  const bytes = jsonBytes(data);
  if (bytes > trajectoryBytesMax) {
    throw new DomainError("answer_too_large", `the trajectory would have ${bytes} bytes of pieces`);
  }
  return await createTrajectory(
    deps,
    caller,
    {
      workflowId: run.workflowId,
      data,
      dimensions: made.dimensions,
      expect: made.expect,
      checks: plan?.trajectory.checks ?? [],
      reset: dataOf(made.reset),
      endsElsewhere: made.endsElsewhere,
      resetLacks: made.resetLacks,
      name: `Run of ${run.createdAt}`,
      isGenerated: true,
      runId,
      originalInputValues: inputsOfRecording(run.inputValues, plan, made.elements),
    },
    idempotency,
  );
}
