import type { Picture } from "../../picture/picture.ts";
import type { RunStep, StepMatch, StepTrail } from "../../run-step/run-step.ts";
import type { TrajectoryElement } from "../../trajectory/trajectory-element.ts";
import { send } from "../act/act-step.ts";
import { durableSeconds, quietStep } from "../act/quiet-step.ts";
import { resumeStep } from "../act/resume-step.ts";
import type { Cursor } from "../execution.ts";
import { contextOf } from "../screen/context-of.ts";
import { matchElement, stepMatch } from "../screen/match-element.ts";
import type { Invocation } from "../step/invocation.ts";
import { placeAfter, type StepResult } from "../step/step-result.ts";

/** An element whose own screen is seen. */
export interface SeenElement {
  readonly at: number;
  readonly trail: StepTrail;
  readonly match: StepMatch | null;
}

/** Returns the first of the rest whose screen that is: those before it are not needed. */
export function seenElement(
  invocation: Invocation,
  screen: Picture,
  { from, waitedMs }: { readonly from: number; readonly waitedMs: number },
): SeenElement | undefined {
  const { trail, plan } = invocation;
  const { reset = [] } = plan.trajectory;
  for (const [at, element] of reset.entries()) {
    if (at < from) continue;
    const match = matchElement(screen, element, contextOf(invocation, trail, at, reset));
    if (match === undefined) return { at, trail, match: null };
    if (match.isFound)
      return { at, trail: { ...trail, movedBy: match.movedBy }, match: stepMatch(match, waitedMs) };
  }
  return undefined;
}

/** Does an element of the reset, once. */
export async function resetStep(
  invocation: Invocation,
  before: Cursor,
  { at, trail, match }: SeenElement,
): Promise<StepResult> {
  const cursor = cursorAt(before, at);
  const element = elementAt(invocation, at);
  const { action } = element;
  return action.type === "wait" || action.type === "screenshot"
    ? await quietStep(invocation, cursor, action)
    : withoutFailure(cursor, await send(invocation, cursor, element, { kind: "found", trail, match }));
}

/** Goes on from its row. */
export async function resumeReset(
  invocation: Invocation,
  before: Cursor,
  step: RunStep,
): Promise<StepResult> {
  const { next, reset: at = before.reset?.at ?? 0 } = step.trail;
  const cursor = cursorAt(before, at);
  if (next?.kind === "end") return goOnAfter(cursor);
  const element = elementAt(invocation, at);
  if (step.status === "sending")
    return withoutFailure(cursor, await resumeStep(invocation, cursor, element, step));
  invocation.trail = step.trail;
  const waitSeconds = element.action.type === "wait" ? durableSeconds(element.action) : 0;
  const isReplayed = next?.kind === "again" || next?.kind === "piece";
  const after = placeAfter(cursor, isReplayed ? next : undefined);
  return { kind: "next", cursor: after, waitSeconds, yields: false };
}

function cursorAt(cursor: Cursor, at: number): Cursor {
  return { ...cursor, reset: { taken: 0, ...cursor.reset, at } };
}

function elementAt({ plan }: Invocation, at: number): TrajectoryElement {
  const element = plan.trajectory.reset?.[at];
  if (element === undefined) throw new Error("the reset has no such element");
  return element;
}

/** What the desktop refused does not end the run: another one may help. */
function withoutFailure(cursor: Cursor, result: StepResult): StepResult {
  if (result.kind !== "end") return result;
  const { errorCode } = result.end;
  return errorCode === "step_failed" || errorCode === "replay_diverged" ? goOnAfter(cursor) : result;
}

function goOnAfter(cursor: Cursor): StepResult {
  return { kind: "next", cursor: placeAfter(cursor, undefined), waitSeconds: 0, yields: false };
}

/** What is on record of the trajectory's own elements came after the reset. */
export function afterReset(cursor: Cursor): Cursor {
  return typeof cursor.reset?.at === "number" ? over(cursor) : cursor;
}

export function over(cursor: Cursor): Cursor {
  return { ...cursor, waitedMs: 0, reset: { taken: 0, ...cursor.reset, at: null } };
}
