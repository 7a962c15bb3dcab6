import type { Action } from "../../action/action.ts";
import { isoTimestamp } from "../../clock.ts";
import type { Cursor } from "../execution.ts";
import { look } from "../screen/await-element.ts";
import { leaveForLater } from "../step/away.ts";
import type { Invocation } from "../step/invocation.ts";
import { keepPicture } from "../step/keep-picture.ts";
import { newStep } from "../step/new-step.ts";
import { shownAction } from "../step/shown-action.ts";
import { placeAfter, type StepResult } from "../step/step-result.ts";
import { sleepWithin } from "../step/time-left.ts";
import { elementOfStep } from "../step/trail.ts";

/** From then on another invocation goes on after a wait. */
const durableSecondsMin = 5;

/** Of a wait, those in which no invocation runs. */
export function durableSeconds({ seconds }: Extract<Action, { readonly type: "wait" }>): number {
  return seconds < durableSecondsMin ? 0 : seconds;
}

/** A step that does nothing on the desktop: it waits, or takes a picture. */
export async function quietStep(
  invocation: Invocation,
  cursor: Cursor,
  action: Extract<Action, { readonly type: "wait" | "screenshot" }>,
): Promise<StepResult> {
  const { deps } = invocation;
  const startedAtMs = deps.clock.now();
  const waitSeconds = action.type === "wait" ? durableSeconds(action) : 0;
  if (action.type === "wait" && waitSeconds === 0) await sleepWithin(invocation, action.seconds * 1_000);
  invocation.screen = undefined;
  const isSeen = action.type === "screenshot";
  if (isSeen && (await look(invocation)) === undefined) return await leaveForLater(invocation, cursor);
  const kept = isSeen ? await keepPicture(invocation, cursor) : {};
  const { source, trail } = elementOfStep(invocation.trail, cursor);
  invocation.trail = trail;
  const step = newStep(invocation, cursor, {
    action: shownAction(action),
    match: null,
    status: "done",
    source,
    trail,
    startedAt: isoTimestamp(startedAtMs),
  });
  const durationMs = waitSeconds * 1_000 || deps.clock.now() - startedAtMs;
  if (!(await deps.executions.recordStep({ ...step, pictureKey: null, ...kept, durationMs }))) {
    return { kind: "ended" };
  }
  return { kind: "next", cursor: placeAfter(cursor, undefined), waitSeconds, yields: false };
}
