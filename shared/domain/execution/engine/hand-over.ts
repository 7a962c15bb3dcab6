import { type Cursor, type ExecutionJob, executionName } from "../execution.ts";
import type { ExecutorDeps } from "../world.ts";
import type { Durable } from "./durable.ts";

/** The run to the next execution: first in its row, so that this one can do nothing more, then by starting it. */
export async function handOver(
  durable: Durable,
  deps: Pick<ExecutorDeps, "executions" | "starter">,
  job: ExecutionJob,
  cursor: Cursor,
): Promise<{ readonly isOurs: boolean }> {
  const next = { ...job, part: job.part + 1 };
  if (!(await deps.executions.handOver(job, durable.arn, cursor))) return { isOurs: false };
  await deps.starter.start(executionName(next), jobPayload(next));
  return { isOurs: true };
}

/** Ids, and nothing that could be secret: the engine keeps it. */
export function jobPayload({ organizationId, runId, assignmentId, part }: ExecutionJob) {
  return { organization_id: organizationId, run_id: runId, assignment_id: assignmentId, part };
}
