import { type Caller, requireScope } from "../access/caller.ts";
import { required } from "../entity/not-found.ts";
import { DomainError } from "../errors.ts";
import type { ExecutionStore } from "../execution/execution-store.ts";
import type { FileStore } from "../file-store.ts";
import type { Run } from "../run/run.ts";
import type { RunStore } from "../run/run-store.ts";
import type { RunStep } from "../run-step/run-step.ts";

export interface StepDeps {
  readonly runs: Pick<RunStore, "find">;
  readonly executions: Pick<ExecutionStore, "findStep">;
  readonly files: Pick<FileStore, "size" | "get" | "presignGet" | "stepKey">;
}

/** @throws {DomainError} `insufficient_scope` or `not_found`. */
export async function requireRun(deps: Pick<StepDeps, "runs">, caller: Caller, runId: string): Promise<Run> {
  requireScope(caller, "read", "worker");
  return required(await deps.runs.find(caller.organizationId, runId), "run", runId);
}

export async function requireStep(deps: StepDeps, run: Run, index: number): Promise<RunStep> {
  const step = await deps.executions.findStep(run.organizationId, run.id, index);
  if (step === undefined) throw new DomainError("not_found", `the run ${run.id} has no step ${index}`);
  return step;
}
