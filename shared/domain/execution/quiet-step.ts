import { isoTimestamp } from "../clock.ts";
import type { Action } from "../trajectory/action.ts";
import { look } from "./await-element.ts";
import { leaveForLater } from "./away.ts";
import type { Cursor } from "./execution.ts";
import { keepPicture } from "./keep-picture.ts";
import { newStep } from "./new-step.ts";
import { shownAction } from "./shown-action.ts";
import { advanced, type StepResult } from "./step-result.ts";
import type { World } from "./world.ts";

/** From then on another invocation goes on after a wait. */
const durableSecondsMin = 5;

/** A step that does nothing on the desktop: it waits, or takes a picture. */
export async function quietStep(
  world: World,
  cursor: Cursor,
  action: Extract<Action, { readonly type: "wait" | "screenshot" }>,
): Promise<StepResult> {
  const { deps } = world;
  const startedAtMs = deps.clock.now();
  const seconds = action.type === "wait" ? action.seconds : 0;
  const isShort = seconds < durableSecondsMin;
  if (action.type === "wait" && isShort) await deps.clock.sleep(seconds * 1_000);
  world.screen = undefined;
  const isSeen = action.type === "screenshot";
  if (isSeen && (await look(world)) === undefined) return await leaveForLater(world, cursor);
  const kept = isSeen ? await keepPicture(world, cursor) : {};
  world.trail = { ...world.trail, element: cursor.element };
  const step = newStep(world, cursor, {
    ...{ action: shownAction(action), match: null, status: "done", trail: world.trail },
    startedAt: isoTimestamp(startedAtMs),
  });
  const durationMs = isShort ? deps.clock.now() - startedAtMs : seconds * 1_000;
  if (!(await deps.executions.recordStep({ ...step, pictureKey: null, ...kept, durationMs }))) {
    return { kind: "ended" };
  }
  const waitSeconds = isShort ? 0 : seconds;
  return {
    kind: "next",
    cursor: advanced(cursor, { element: cursor.element + 1 }),
    waitSeconds,
    yields: false,
  };
}
