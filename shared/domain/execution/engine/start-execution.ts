import type { Durable, ExecutionStarter } from "../../durable/durable.ts";
import type { Logger } from "../../logger.ts";
import { type Cursor, type ExecutionJob, executionName } from "../execution.ts";
import type { ExecutorDeps } from "../executor-deps.ts";

export interface StartExecutionDeps {
  readonly starter: ExecutionStarter;
  readonly logger: Logger;
}

/** The projector, and then the sweeper, repeat a failed start. */
export async function startExecution(deps: StartExecutionDeps, job: ExecutionJob): Promise<boolean> {
  try {
    await deps.starter.start(executionName(job), jobPayload(job));
    return true;
  } catch (cause) {
    const { organizationId, runId, assignmentId } = job;
    const ids = { organization_id: organizationId, run_id: runId, assignment_id: assignmentId };
    deps.logger.warn("an execution could not be started", { ...ids, cause });
    return false;
  }
}

/** The engine stores the payload, so it has only ids and nothing that could be secret. */
export function jobPayload({ organizationId, runId, assignmentId, part }: ExecutionJob) {
  return { organization_id: organizationId, run_id: runId, assignment_id: assignmentId, part };
}

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
