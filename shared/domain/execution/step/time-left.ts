import { type Failure, failure } from "../../run/run-ending.ts";
import type { Cursor } from "../execution.ts";
import type { Invocation } from "./invocation.ts";
import { roundsOf } from "./rounds.ts";
import { ends, type StepResult } from "./step-result.ts";

export const pauseMs = 250;

/** A wait leaves this time of an invocation for the call after it and its record. */
const reservedMs = 60_000;

/** One step has the longest wait for a screen, its calls and its records. */
const stepMs = 150_000;

export function fitsStep({ durable }: Pick<Invocation, "durable">): boolean {
  return durable.remainingMs() >= stepMs;
}

export function fitsWait({ durable }: Pick<Invocation, "durable">, ms = 0): boolean {
  return durable.remainingMs() >= ms + reservedMs;
}

export function leftMs({ deps, endsAtMs }: Pick<Invocation, "deps" | "endsAtMs">): number {
  return Math.max(0, endsAtMs - deps.clock.now());
}

export function timeOver({ plan }: Pick<Invocation, "plan">): Failure {
  const rounds = roundsOf(plan);
  const seconds = plan.workflow.maxDurationSeconds * rounds;
  const those = rounds === 1 ? "which are the workflow's" : `which are ${rounds} times the workflow's`;
  return failure("limit_reached", `the run took ${seconds} seconds, ${those} max_duration_seconds`);
}

export async function sleepWithin(invocation: Invocation, ms: number): Promise<void> {
  await invocation.deps.clock.sleep(Math.min(ms, leftMs(invocation)));
}

/** Longer waits end the invocation. */
const durableSecondsMin = 5;

export function durableSeconds(action: { readonly type?: unknown; readonly seconds?: unknown }): number {
  const seconds = action.type === "wait" ? Number(action.seconds) : 0;
  return seconds < durableSecondsMin ? 0 : seconds;
}

/** The wait is in seconds, and undefined when the time is over. Steps for the run's files are not bounded. */
export function pauseSecondsLeft(
  invocation: Invocation | undefined,
  { files }: Pick<Cursor, "files">,
): number | undefined {
  const seconds = invocation === undefined || files.end !== null ? 0 : Math.ceil(leftMs(invocation) / 1_000);
  return seconds > 0 ? seconds : undefined;
}

/** A call with less time would cost tokens for nothing. */
const callMsMin = 1_000;

export function endWithoutCall(invocation: Invocation, cursor: Cursor): StepResult | undefined {
  return leftMs(invocation) < callMsMin ? ends(cursor, timeOver(invocation)) : undefined;
}
