import { type Caller, requireScope } from "../../access/caller.ts";
import type { ExecutionStore } from "../../execution/execution-store.ts";
import type { FileStore } from "../../file-store.ts";
import { type RunDeps, runNotFound } from "../run-deps.ts";

export interface StepDeps extends Pick<RunDeps, "runs"> {
  readonly executions: Pick<ExecutionStore, "listSteps" | "findStep" | "findLastStep">;
  readonly files: Pick<FileStore, "size" | "get" | "presignGet">;
}

/** @throws {DomainError} `insufficient_scope`, or `not_found` for a missing run and for another organization's. */
export async function requireRun(deps: StepDeps, caller: Caller, runId: string): Promise<void> {
  requireScope(caller, "read", "worker");
  if ((await deps.runs.find(caller.organizationId, runId)) === undefined) throw runNotFound(runId);
}
