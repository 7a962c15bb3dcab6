import type { Action } from "../../action/action.ts";
import { isoTimestamp } from "../../clock.ts";
import type { Cursor } from "../execution.ts";
import { elementOfStep } from "../start/trail.ts";
import type { World } from "../world.ts";
import { look } from "./await-element.ts";
import { leaveForLater } from "./away.ts";
import { keepPicture } from "./keep-picture.ts";
import { newStep } from "./new-step.ts";
import { shownAction } from "./shown-action.ts";
import { placeAfter, type StepResult } from "./step-result.ts";
import { sleepWithin } from "./time-left.ts";

/** From then on another invocation goes on after a wait. */
const durableSecondsMin = 5;

/** Of a wait, those in which no invocation runs. */
export function durableSeconds({ seconds }: Extract<Action, { readonly type: "wait" }>): number {
  return seconds < durableSecondsMin ? 0 : seconds;
}

/** A step that does nothing on the desktop: it waits, or takes a picture. */
export async function quietStep(
  world: World,
  cursor: Cursor,
  action: Extract<Action, { readonly type: "wait" | "screenshot" }>,
): Promise<StepResult> {
  const { deps } = world;
  const startedAtMs = deps.clock.now();
  const waitSeconds = action.type === "wait" ? durableSeconds(action) : 0;
  if (action.type === "wait" && waitSeconds === 0) await sleepWithin(world, action.seconds * 1_000);
  world.screen = undefined;
  const isSeen = action.type === "screenshot";
  if (isSeen && (await look(world)) === undefined) return await leaveForLater(world, cursor);
  const kept = isSeen ? await keepPicture(world, cursor) : {};
  const { source, trail } = elementOfStep(world.trail, cursor);
  world.trail = trail;
  const step = newStep(world, cursor, {
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
