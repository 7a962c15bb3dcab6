import { actionKinds } from "../../action/action.ts";
import { pictureBytesMax } from "../../computer/png.ts";
import { changedParts, isMoreThanCaret } from "../../picture/changes.ts";
import { isSameSize, type Picture } from "../../picture/picture.ts";
import type { RunStep } from "../../run-step/run-step.ts";
import type { TrajectoryElement } from "../../trajectory/trajectory-element.ts";
import type { Cursor } from "../execution.ts";
import { fillAction } from "../texts/fill-action.ts";
import type { World } from "../world.ts";
import { look, settleMs } from "./await-element.ts";
import { awaitTyped } from "./await-typed.ts";
import { actionIdOf, leaveForLater, leaveForNext } from "./away.ts";
import { contextOf } from "./context-of.ts";
import { keepPicture } from "./keep-picture.ts";
import { matchElement } from "./match-element.ts";
import { isScreenOf } from "./recorded-screens.ts";
import type { SentStep } from "./sent-step.ts";
import { nextAfter, outcome, settleStep } from "./settle-step.ts";
import { failure, placeAfter, type StepResult } from "./step-result.ts";
import { hasTyped, trailAfter } from "./typed-text.ts";

/**
 * Goes on with a step that may have been sent: asks the driver what became of it, and never sends it again. Where the
 * driver does not know either, the screen decides.
 */
export async function resumeStep(
  world: World,
  cursor: Cursor,
  element: TrajectoryElement,
  step: RunStep,
): Promise<StepResult> {
  world.trail = step.trail;
  const options = { actionId: actionIdOf(step), repeat: true, settleMs };
  const acted = await world.desktop.act(step.action, options);
  if (acted.kind === "away") return await leaveForLater(world, cursor);
  const screen = { before: await pictureBefore(world, step), isBeforeStored: true };
  const place = { piece: cursor.piece, movedBy: step.trail.movedBy };
  const filled = await fillAction(world, element.action, place);
  if (filled.kind === "end") return { kind: "end", end: filled.end, cursor };
  if (acted.kind === "unknown")
    return await decideBySight(world, cursor, { element, step, filled, ...screen });
  const whole =
    acted.kind === "done" && acted.look === undefined ? { ...acted, look: await lookNow(world) } : acted;
  return await settleStep(world, cursor, { element, step, acted: whole, filled, ...screen });
}

/** A driver's memory of a picture is short. */
async function lookNow(world: World) {
  return await world.desktop.look(settleMs);
}

async function decideBySight(
  world: World,
  cursor: Cursor,
  unknown: Omit<SentStep, "acted">,
): Promise<StepResult> {
  const { element, step, filled } = unknown;
  const { executions } = world.deps;
  const { action } = element;
  const screen = await look(world);
  if (screen === undefined) return await leaveForLater(world, cursor);
  if (actionKinds[action.type].ifUnknown === "end") {
    const error = `nobody knows whether the command of step ${cursor.index} was run: its driver was started anew`;
    const kept = await keepPicture(world, step);
    const end = failure("step_failed", error);
    const next = { kind: "end", errorCode: end.errorCode } as const;
    await executions.recordOutcome(step, { ...outcome(world, step, "unknown", next), ...kept, error });
    return { kind: "end", end, cursor };
  }
  // Its letters may be late: it would be typed twice.
  const typed = action.type === "type" ? await awaitTyped(world, unknown, element.timeoutMs) : "typed";
  if (typed === "away") return await leaveForLater(world, cursor);
  if (typed === "pauses") return await leaveForNext(world, cursor);
  const now = world.screen?.picture ?? screen.picture;
  const wasDone = hasHappened(world, cursor, unknown, now);
  if (wasDone) world.trail = trailAfter(unknown, now);
  const kept = await keepPicture(world, step);
  const next = wasDone ? nextAfter(cursor, filled) : ({ kind: "again" } as const);
  await executions.recordOutcome(step, { ...outcome(world, step, "unknown", next), ...kept });
  return { kind: "next", cursor: placeAfter(cursor, next), waitSeconds: 0, yields: false };
}

/**
 * Whether an action of which nobody knows has been done, judged by what is seen. A changed screen says so. An unchanged
 * one says that nothing was typed; of a click or a key it says so unless what comes next can begin as it is.
 */
function hasHappened(world: World, cursor: Cursor, unknown: Omit<SentStep, "acted">, now: Picture): boolean {
  const { element, before } = unknown;
  const { action } = element;
  // What some of them give back is not there otherwise.
  if (actionKinds[action.type].ifUnknown === "again") return false;
  if (action.type === "type" && before !== undefined) return hasTyped(unknown, now);
  if (action.type === "type") return matchElement(now, element, contextHere(world, cursor))?.isFound !== true;
  const isChanged =
    before !== undefined &&
    (!isSameSize(before, now) || changedParts(before, now, world.trail.painted).some(isMoreThanCaret));
  const isNext = () => isScreenOf(world, now, isOfReset(cursor) ? 0 : cursor.element + 1);
  // It may be done twice, since nothing was done in between; a program that was only closed is not what comes next.
  if (action.type === "open") return action.if_open === "restart" && isChanged && isNext();
  if (isChanged) return true;
  // What changed the screen when it was recorded has not been done while nothing is changed.
  if (before !== undefined && element.changed !== undefined) return false;
  return isNext();
}

function isOfReset({ reset }: Cursor): boolean {
  return typeof reset?.at === "number";
}

function contextHere(world: World, { element, reset }: Cursor) {
  const at = reset?.at;
  return typeof at === "number"
    ? contextOf(world, world.trail, at, world.plan.trajectory.reset)
    : contextOf(world, world.trail, element);
}

async function pictureBefore({ deps }: World, { pictureKey }: RunStep): Promise<Picture | undefined> {
  if (pictureKey === null) return undefined;
  const png = await deps.files.get(pictureKey, pictureBytesMax);
  return png && deps.pictures.decode(png);
}
