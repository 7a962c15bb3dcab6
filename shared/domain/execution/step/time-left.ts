import type { Cursor } from "../execution.ts";
import type { Invocation } from "./invocation.ts";
import { roundsOf } from "./rounds.ts";
import { ends, type Failure, failure, type StepResult } from "./step-result.ts";

/** Time between two looks at a screen that is waited for. */
export const pauseMs = 250;

/** Time that a wait leaves of an invocation for what follows it: a call and its record. */
const reservedMs = 60_000;

/** Time of one more step: the longest wait for a screen, the calls and the records. */
const stepMs = 150_000;

/** Whether the rest of the invocation is enough for one more step. */
export function fitsStep({ durable }: Pick<Invocation, "durable">): boolean {
  return durable.remainingMs() >= stepMs;
}

/** Whether the rest of the invocation is enough for a wait of that length, or for one between two looks. */
export function fitsWait({ durable }: Pick<Invocation, "durable">, ms = 0): boolean {
  return durable.remainingMs() >= ms + reservedMs;
}

/** Time that the run may still take, in milliseconds: 0 once its max_duration_seconds are over. */
export function leftMs({ deps, endsAtMs }: Pick<Invocation, "deps" | "endsAtMs">): number {
  return Math.max(0, endsAtMs - deps.clock.now());
}

/** The end of a run whose time is over. */
export function timeOver({ plan }: Pick<Invocation, "plan">): Failure {
  const rounds = roundsOf(plan);
  const seconds = plan.workflow.maxDurationSeconds * rounds;
  const those = rounds === 1 ? "which are the workflow's" : `which are ${rounds} times the workflow's`;
  return failure("limit_reached", `the run took ${seconds} seconds, ${those} max_duration_seconds`);
}

/** Sleeps, but not past the end of the run's time. */
export async function sleepWithin(invocation: Invocation, ms: number): Promise<void> {
  await invocation.deps.clock.sleep(Math.min(ms, leftMs(invocation)));
}

/** From then on another invocation goes on after a wait. */
const durableSecondsMin = 5;

/** Seconds of an action in which no invocation runs. */
export function durableSeconds(action: { readonly type?: unknown; readonly seconds?: unknown }): number {
  const seconds = action.type === "wait" ? Number(action.seconds) : 0;
  return seconds < durableSecondsMin ? 0 : seconds;
}

/**
 * Bounds a durable wait, in seconds; undefined once the time is over. What is done after the actions, for the run's files,
 * waits for as long as it needs.
 */
export function pauseSecondsLeft(
  invocation: Invocation | undefined,
  { files }: Pick<Cursor, "files">,
): number | undefined {
  const seconds = invocation === undefined || files.end !== null ? 0 : Math.ceil(leftMs(invocation) / 1_000);
  return seconds > 0 ? seconds : undefined;
}

/** A call of a model that had less time, in milliseconds, would cost tokens for nothing. */
const callMsMin = 1_000;

/** Ends the run where too little of its time is left for a call of a model; undefined where one may begin. */
export function endWithoutCall(invocation: Invocation, cursor: Cursor): StepResult | undefined {
  return leftMs(invocation) < callMsMin ? ends(cursor, timeOver(invocation)) : undefined;
}
