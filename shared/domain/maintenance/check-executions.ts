import { forEachBounded } from "../bounded-parallel.ts";
import type { Clock } from "../clock.ts";
import type { Callbacks, ExecutionFinder } from "../durable/durable.ts";
import { type EndFailedExecutionDeps, endFailedExecution } from "../execution/engine/end-failed-execution.ts";
import { type StartExecutionDeps, startExecution } from "../execution/engine/start-execution.ts";
import { type Execution, executionName } from "../execution/execution.ts";
import type { ExecutionStore } from "../execution/execution-store.ts";
import { isInForce } from "../hold/hold.ts";

export interface CheckExecutionsDeps extends EndFailedExecutionDeps, StartExecutionDeps {
  readonly executions: Pick<ExecutionStore, "find" | "listDue" | "checkLater">;
  readonly finder: ExecutionFinder;
  readonly callbacks: Callbacks;
  readonly clock: Clock;
}

function isHeld({ held }: Pick<Execution, "held">, nowMs: number): boolean {
  return held !== null && isInForce(held, nowMs);
}

const executionsPerRun = 200;

/** Starts executions that were not started, wakes those whose run was resumed, and ends the runs of those that are over, in case the event was lost. */
export async function checkExecutions(deps: CheckExecutionsDeps): Promise<number> {
  const { executions, finder, clock } = deps;
  let repaired = 0;
  await forEachBounded(await executions.listDue(clock.now(), executionsPerRun), async (execution) => {
    const state = await finder.find(executionName(execution));
    if (state === "closed") {
      if (await endFailedExecution(deps, execution)) repaired += 1;
      return;
    }
    if (state === undefined && (await startExecution(deps, execution))) repaired += 1;
    // Whoever resumed the run ended before it could tell the executor, or its wait has outlasted the hold.
    if (execution.callbackId !== null && !isHeld(execution, clock.now())) {
      await deps.callbacks.complete(execution.callbackId);
      repaired += 1;
    }
    await executions.checkLater(execution);
  });
  return repaired;
}
