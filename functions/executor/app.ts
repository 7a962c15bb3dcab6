import {
  CallbackTimeoutError,
  type DurableContext,
  withDurableExecution,
} from "@aws/durable-execution-sdk-js";
import type { Durable } from "../../shared/domain/durable/durable.ts";
import { type Executed, executeRun } from "../../shared/domain/execution/engine/execute-run.ts";
import type { ExecutionJob } from "../../shared/domain/execution/execution.ts";
import type { ExecutorDeps } from "../../shared/domain/execution/executor-deps.ts";

export interface ExecutorAppDeps extends ExecutorDeps {
  readonly readJob: (payload: unknown) => ExecutionJob;
}

export function createExecutor(deps: ExecutorAppDeps) {
  return withDurableExecution(async (event: unknown, context: DurableContext): Promise<Executed> => {
    const job = deps.readJob(event);
    const executed = await executeRun(durableOf(context), deps, job);
    deps.logger.debug("execution done", { run_id: job.runId, assignment_id: job.assignmentId, ...executed });
    return executed;
  });
}

function durableOf(context: DurableContext): Durable {
  return {
    arn: context.executionContext.durableExecutionArn,
    // A step returns its failures. One that throws ends the execution, whose event ends the run.
    step: async (name, work) =>
      await context.step(name, work, { retryStrategy: () => ({ shouldRetry: false }) }),
    wait: async (name, seconds) => await context.wait(name, { seconds }),
    createCallback: async (name, seconds) => {
      const [completed, id] = await context.createCallback(name, { timeout: { seconds } });
      return { id, over: async () => await orTimedOut(completed) };
    },
    remainingMs: () => context.lambdaContext.getRemainingTimeInMillis(),
  };
}

/** What is told with a callback is in the table, and so is what follows from its timeout. */
async function orTimedOut(completed: PromiseLike<unknown>): Promise<void> {
  try {
    await completed;
  } catch (cause) {
    if (!(cause instanceof CallbackTimeoutError)) throw cause;
  }
}
