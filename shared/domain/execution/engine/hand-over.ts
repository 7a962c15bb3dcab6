import type { Durable } from "../../durable/durable.ts";
import type { Cursor, ExecutionJob } from "../execution.ts";
import type { ExecutorDeps } from "../executor-deps.ts";
import { startExecution } from "./start-execution.ts";

/** The handover is recorded before the next execution starts, so that this one can do nothing more. */
export async function handOver(
  { arn }: Pick<Durable, "arn">,
  deps: Pick<ExecutorDeps, "executions" | "starter" | "logger">,
  job: ExecutionJob,
  cursor: Cursor,
): Promise<{ readonly isOurs: boolean }> {
  if (!(await deps.executions.handOver(job, arn, cursor))) return { isOurs: false };
  if (!(await startExecution(deps, { ...job, part: job.part + 1 }))) {
    throw new Error("the next execution of a run could not be started");
  }
  return { isOurs: true };
}
