import type { Cursor } from "../execution.ts";
import type { Invocation } from "./invocation.ts";
import { roundsOf } from "./rounds.ts";
import { type Failure, failure, type StepResult } from "./step-result.ts";

type Timed = Pick<Invocation, "plan" | "leavesUntilMs"> & {
  readonly deps: Pick<Invocation["deps"], "clock">;
};

/**
 * How long the run may still take, in milliseconds: 0 once its max_duration_seconds are over. Leading its desktop back has a time
 * of its own.
 */
export function leftMs({ deps, plan, leavesUntilMs = plan.endsAtMs }: Timed): number {
  return Math.max(0, leavesUntilMs - deps.clock.now());
}

/** The end of a run whose time is over. */
export function timeOver({ plan }: Pick<Invocation, "plan">): Failure {
  const rounds = roundsOf(plan);
  const seconds = plan.workflow.maxDurationSeconds * rounds;
  const those = rounds === 1 ? "which are the workflow's" : `which are ${rounds} times the workflow's`;
  return failure("limit_reached", `the run took ${seconds} seconds, ${those} max_duration_seconds`);
}

/** Sleeps, but not past the end of the run's time. */
export async function sleepWithin(invocation: Timed, ms: number): Promise<void> {
  await invocation.deps.clock.sleep(Math.min(ms, leftMs(invocation)));
}

/**
 * Cuts a durable wait to what is left of the run's time. What is done after the actions, for the run's files, waits for as long
 * as it needs.
 */
export function waitingWithin(invocation: Timed, result: StepResult): StepResult {
  if (result.kind !== "next" || result.waitSeconds === 0 || result.cursor.files.end !== null) return result;
  return {
    ...result,
    waitSeconds: Math.min(result.waitSeconds, pauseSecondsLeft(invocation, result.cursor) ?? 1),
  };
}

/** What bounds a pause before another try, in seconds; undefined once the time is over, and for the run's files. */
export function pauseSecondsLeft(invocation: Timed | undefined, { files }: Cursor): number | undefined {
  const seconds = invocation === undefined || files.end !== null ? 0 : Math.ceil(leftMs(invocation) / 1_000);
  return seconds > 0 ? seconds : undefined;
}

/** A call of a model that had less time, in milliseconds, would cost tokens for nothing. */
const callMsMin = 1_000;

/** Ends the run where too little of its time is left for a call of a model; undefined where one may begin. */
export function endWithoutCall(invocation: Timed, cursor: Cursor): StepResult | undefined {
  return leftMs(invocation) < callMsMin ? { kind: "end", end: timeOver(invocation), cursor } : undefined;
}
