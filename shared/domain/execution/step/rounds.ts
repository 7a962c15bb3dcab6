import type { Plan } from "../../plan/plan.ts";
import { failure, type RunEnding } from "../../run/run-ending.ts";
import type { StepNext } from "../../run-step/run-step.ts";
import type { Cursor } from "../execution.ts";
import type { Invocation } from "./invocation.ts";
import { advanced, next, type StepResult } from "./step-result.ts";

type NextRound = Extract<StepNext, { readonly kind: "round" }>;

export function roundsOf({ rounds = 1 }: Pick<Plan, "rounds">): number {
  return rounds;
}

function roundOf({ round = 1 }: Pick<Cursor, "round">): number {
  return round;
}

export function roundAfter({ plan }: Pick<Invocation, "plan">, cursor: Cursor): NextRound | undefined {
  const round = roundOf(cursor) + 1;
  return round > roundsOf(plan) ? undefined : { kind: "round", round };
}

export function beginRound(cursor: Cursor, { round }: NextRound): StepResult {
  const { reset, ...begun } = advanced(cursor);
  return next({ ...begun, element: 0, round, ...(reset && { reset: { taken: reset.taken } }) });
}

/** These ends mean that a trajectory may not lead back to its beginning. */
const codesOfStart: ReadonlySet<RunEnding["errorCode"]> = new Set(["replay_diverged", "outcome_not_seen"]);

export function inRound(end: RunEnding, cursor: Cursor): RunEnding {
  const { errorCode, error } = end;
  if (roundOf(cursor) === 1 || end.status !== "error" || errorCode === null) return end;
  const hint = codesOfStart.has(errorCode)
    ? " (a trajectory has to end where it begins, or have a `reset`)"
    : "";
  return failure(errorCode, `the second time in a row${hint}: ${error}`);
}
