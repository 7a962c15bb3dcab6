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
  /** True for a failure after which the same question may be answered later. */
  readonly isPassing: (cause: unknown) => boolean;
  readonly clock: Clock;
}

function isHeld({ held }: Pick<Execution, "held">, nowMs: number): boolean {
  return held !== null && isInForce(held, nowMs);
}

/** They are read once, because the index still lists rows shortly after they were put off. */
export const executionsPerRun = 2_000;

/**
 * Starts executions that were not started, wakes those whose run was resumed, and ends the runs of those that are over, in
 * case the event was lost. What there is no time for, or the engine does not answer about, stays due.
 */
export async function checkExecutions(
  deps: CheckExecutionsDeps,
  untilMs: number,
): Promise<{ readonly found: number; readonly isBehind: boolean }> {
  const { executions, finder, clock } = deps;
  const due = await executions.listDue(clock.now(), executionsPerRun);
  let found = 0;
  let isBehind = due.length === executionsPerRun;
  let isRefused = false;
  await forEachBounded(due, async (execution) => {
    if (isRefused || clock.now() >= untilMs) {
      isBehind = true;
      return;
    }
    const asked = { name: executionName(execution), arn: execution.arn };
    const state = await finder.find(asked).catch((cause: unknown) => {
      if (!deps.isPassing(cause)) throw cause;
      deps.logger.warn("the engine did not say which executions are open", { cause });
      isRefused = true;
      isBehind = true;
      return "unknown" as const;
    });
    if (state === "unknown") return;
    if (state === "closed") {
      if (await endFailedExecution(deps, execution)) found += 1;
      return;
    }
    if (state === undefined && (await startExecution(deps, execution))) found += 1;
    // Whoever resumed the run ended before it could tell the executor, or its wait has outlasted the hold.
    if (execution.callbackId !== null && !isHeld(execution, clock.now())) {
      await deps.callbacks.complete(execution.callbackId);
      found += 1;
    }
    await executions.checkLater(execution);
  });
  return { found, isBehind };
}
