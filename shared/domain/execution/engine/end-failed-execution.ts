import { type EndRunDeps, endRun } from "../../run/end-run.ts";
import type { ExecutionJob } from "../execution.ts";
import type { ExecutionStore } from "../execution-store.ts";

export interface EndFailedExecutionDeps extends EndRunDeps {
  readonly executions: Pick<ExecutionStore, "find">;
}

/** Earlier parts and earlier assignments end nothing. @throws {ChangedTooOften} */
export async function endFailedExecution(
  deps: EndFailedExecutionDeps,
  { organizationId, runId, assignmentId, part }: ExecutionJob,
): Promise<boolean> {
  const execution = await deps.executions.find(organizationId, runId);
  if (execution?.assignmentId !== assignmentId || execution.part !== part) return false;
  return await endRun(deps, organizationId, runId, {
    status: "error",
    errorCode: "executor_failed",
    reason: "the service could not go on with the run; it can be retried",
    assignmentId,
  });
}
