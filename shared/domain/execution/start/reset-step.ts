import { actionKinds } from "../../action/action.ts";
import type { Picture } from "../../picture/picture.ts";
import type { RunStep, StepMatch, StepTrail } from "../../run-step/run-step.ts";
import { contextOf, matchElement, stepMatch } from "../../screen/match-element.ts";
import type { TrajectoryElement } from "../../trajectory/trajectory-element.ts";
import type { Cursor } from "../execution.ts";
import { resumeElement, sendElement } from "../replay/act-element.ts";
import { followElement } from "../replay/follow-element.ts";
import { quietStep } from "../replay/quiet-step.ts";
import type { Invocation } from "../step/invocation.ts";
import { next, placeAfter, type StepResult } from "../step/step-result.ts";

export interface SeenElement {
  readonly at: number;
  readonly trail: StepTrail;
  readonly match: StepMatch | null;
}

/** Elements before the one that is seen are not needed. */
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

export async function resetStep(
  invocation: Invocation,
  before: Cursor,
  { at, trail, match }: SeenElement,
): Promise<StepResult> {
  const cursor = cursorAt(before, at);
  const element = elementAt(invocation, at);
  const follow = (row: RunStep) => followReset(cursor, element, row);
  const { action } = element;
  const result =
    actionKinds[action.type].doneBy === "service"
      ? await quietStep(invocation, cursor, action, follow)
      : await sendElement(invocation, cursor, { element, trail, match, follow });
  return staying(cursor, result);
}

export async function resumeReset(
  invocation: Invocation,
  before: Cursor,
  step: RunStep,
): Promise<StepResult> {
  const { reset: at = before.reset?.at ?? 0 } = step.trail;
  const cursor = cursorAt(before, at);
  const element = elementAt(invocation, at);
  const follow = (row: RunStep) => followReset(cursor, element, row);
  if (step.status === "sending") {
    return staying(cursor, await resumeElement(invocation, cursor, { element, step, follow }));
  }
  invocation.goOnFrom(step);
  return follow(step);
}

/** A refused element does not end the run: another one may help. */
function followReset(cursor: Cursor, element: TrajectoryElement, row: RunStep): StepResult {
  return row.trail.next?.kind === "end" ? next(placeAfter(cursor)) : followElement(cursor, element, row);
}

function staying(cursor: Cursor, result: StepResult): StepResult {
  return result.kind === "away" || result.kind === "pauses" ? { cursor, ...result } : result;
}

function cursorAt(cursor: Cursor, at: number): Cursor {
  return { ...cursor, reset: { taken: 0, ...cursor.reset, at } };
}

function elementAt({ plan }: Invocation, at: number): TrajectoryElement {
  const element = plan.trajectory.reset?.[at];
  if (element === undefined) throw new Error("the reset has no such element");
  return element;
}

export function afterReset(cursor: Cursor): Cursor {
  return typeof cursor.reset?.at === "number" ? over(cursor) : cursor;
}

export function over(cursor: Cursor): Cursor {
  return { ...cursor, waitedMs: 0, reset: { taken: 0, ...cursor.reset, at: null } };
}
