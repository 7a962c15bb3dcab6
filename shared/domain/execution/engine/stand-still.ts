import type { Callback, Durable } from "../../durable/durable.ts";
import type { RetryingEngine } from "../../durable/retrying-engine.ts";
import { isInForce } from "../../hold/hold.ts";
import type { Cursor, ExecutionJob } from "../execution.ts";
import type { ExecutorDeps } from "../executor-deps.ts";

/** The bound of an execution is days away, and a hold is an hour at most. */
const callbackSecondsMin = 1;

type StandingStill = { readonly kind: "held"; readonly seconds: number };

/**
 * Waits by a callback of the engine, which costs nothing, until the run is resumed or its hold expires. The rows alone
 * say which it was: the callback only wakes, so one that comes late, twice or never does no harm.
 *
 * @returns undefined when the run has ended.
 */
export async function standStill(
  engine: RetryingEngine,
  durable: Pick<Durable, "arn" | "createCallback">,
  deps: Pick<ExecutorDeps, "executions" | "runs" | "holds" | "clock">,
  job: ExecutionJob,
  cursor: Cursor,
  { seconds: first }: Pick<StandingStill, "seconds">,
): Promise<Cursor | undefined> {
  for (let seconds = first; ; ) {
    const callback: Callback = await engine.createCallback("hold", Math.max(callbackSecondsMin, seconds));
    const { isAwaited } = await engine.step("stand still", async () => ({
      isAwaited: await deps.executions.awaitCallback(job, durable.arn, callback.id),
    }));
    if (isAwaited) await callback.over();
    const state = await engine.step("hold over", async () => await stateOf(deps, job, durable.arn));
    if (state.kind === "lost") return undefined;
    if (state.kind === "resumed") {
      const { phase } = cursor;
      return phase === "resume" ? cursor : { ...cursor, phase: "resume", interrupted: phase };
    }
    ({ seconds } = state);
  }
}

/** An expired hold is released here, and what follows from that is the workflow's `on_hold_timeout`. */
async function stateOf(
  { executions, runs, holds, clock }: Pick<ExecutorDeps, "executions" | "runs" | "holds" | "clock">,
  job: ExecutionJob,
  arn: string,
): Promise<StandingStill | { readonly kind: "lost" } | { readonly kind: "resumed" }> {
  const { organizationId, runId, assignmentId } = job;
  const [execution, run] = await Promise.all([
    executions.find(organizationId, runId),
    runs.find(organizationId, runId),
  ]);
  const isOurs = execution?.assignmentId === assignmentId && execution.arn === arn;
  if (!isOurs || run?.assignmentId !== assignmentId) return { kind: "lost" };
  if (execution.held === null) {
    await executions.forgetCallback(job);
    return { kind: "resumed" };
  }
  const nowMs = clock.now();
  if (run.held === null || isInForce(run.held, nowMs))
    return { kind: "held", seconds: secondsOf(execution.held, nowMs) };
  await holds.release(run, {
    note: null,
    resumedAt: new Date(nowMs).toISOString(),
    heldMs: Math.max(0, nowMs - Date.parse(run.held.since)),
    isExpired: true,
  });
  // The rows are read again: an extension may have come first.
  return { kind: "held", seconds: 0 };
}

function secondsOf({ until }: { readonly until: string }, nowMs: number): number {
  return Math.max(0, Math.ceil((Date.parse(until) - nowMs) / 1_000));
}

/** The time until the hold's expiry, as the step that was refused reads it. */
export async function heldSeconds(
  { executions, clock }: Pick<ExecutorDeps, "executions" | "clock">,
  { organizationId, runId }: ExecutionJob,
): Promise<number> {
  const execution = await executions.find(organizationId, runId);
  return execution?.held ? secondsOf(execution.held, clock.now()) : 0;
}
