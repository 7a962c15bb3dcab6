import { type EndRunDeps, endRun } from "../../run/end-run.ts";
import type { ExecutionJob } from "../execution.ts";
import type { ExecutionStore } from "../execution-store.ts";

export interface EndFailedExecutionDeps extends EndRunDeps {
  readonly executions: Pick<ExecutionStore, "find">;
}

/**
 * Ends the run of an execution that is over and has not ended it. One that had handed the run on, and one of an earlier
 * assignment, ends nothing.
 *
 * @returns whether the run was ended by this.
 * @throws {ChangedTooOften}
 */
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
