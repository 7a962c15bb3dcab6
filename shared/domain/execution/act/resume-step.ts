import { pictureBytesMax } from "../../../vocabulary/drivers.ts";
import { actionKinds } from "../../action/action.ts";
import { changedParts, isMoreThanCaret } from "../../picture/changes.ts";
import { isSameSize, type Picture } from "../../picture/picture.ts";
import type { RunStep } from "../../run-step/run-step.ts";
import type { TrajectoryElement } from "../../trajectory/trajectory-element.ts";
import type { Cursor } from "../execution.ts";
import { look, settleMs } from "../screen/await-element.ts";
import { awaitTyped } from "../screen/await-typed.ts";
import { contextOf } from "../screen/context-of.ts";
import { matchElement } from "../screen/match-element.ts";
import { isScreenOf } from "../screen/recorded-screens.ts";
import type { SentStep } from "../screen/sent-step.ts";
import { hasTyped, trailAfter } from "../screen/typed-text.ts";
import { actionIdOf, leaveForLater, leaveForNext } from "../step/away.ts";
import { fillAction } from "../step/fill-action.ts";
import type { Invocation } from "../step/invocation.ts";
import { keepPicture } from "../step/keep-picture.ts";
import { failure, placeAfter, type StepResult } from "../step/step-result.ts";
import { nextAfter, outcome, settleStep } from "./settle-step.ts";

/**
 * Goes on with a step that may have been sent: asks the driver what became of it, and never sends it again. Where the
 * driver does not know either, the screen decides.
 */
export async function resumeStep(
  invocation: Invocation,
  cursor: Cursor,
  element: TrajectoryElement,
  step: RunStep,
): Promise<StepResult> {
  invocation.trail = step.trail;
  const options = { actionId: actionIdOf(step), repeat: true, settleMs };
  const acted = await invocation.desktop.act(step.action, options);
  if (acted.kind === "away") return await leaveForLater(invocation, cursor);
  const screen = { before: await pictureBefore(invocation, step), isBeforeStored: true };
  const place = { piece: cursor.piece, movedBy: step.trail.movedBy };
  const filled = await fillAction(invocation, element.action, place);
  if (filled.kind === "end") return { kind: "end", end: filled.end, cursor };
  if (acted.kind === "unknown")
    return await decideBySight(invocation, cursor, { element, step, filled, ...screen });
  const whole =
    acted.kind === "done" && acted.look === undefined ? { ...acted, look: await lookNow(invocation) } : acted;
  return await settleStep(invocation, cursor, { element, step, acted: whole, filled, ...screen });
}

/** A driver's memory of a picture is short. */
async function lookNow(invocation: Invocation) {
  return await invocation.desktop.look(settleMs);
}

async function decideBySight(
  invocation: Invocation,
  cursor: Cursor,
  unknown: Omit<SentStep, "acted">,
): Promise<StepResult> {
  const { element, step, filled } = unknown;
  const { executions } = invocation.deps;
  const { action } = element;
  const screen = await look(invocation);
  if (screen === undefined) return await leaveForLater(invocation, cursor);
  if (actionKinds[action.type].ifUnknown === "end") {
    const error = `nobody knows whether the command of step ${cursor.index} was run: its driver was started anew`;
    const kept = await keepPicture(invocation, step);
    const end = failure("step_failed", error);
    const next = { kind: "end", errorCode: end.errorCode } as const;
    await executions.recordOutcome(step, { ...outcome(invocation, step, "unknown", next), ...kept, error });
    return { kind: "end", end, cursor };
  }
  // Its letters may be late: it would be typed twice.
  const typed = action.type === "type" ? await awaitTyped(invocation, unknown, element.timeoutMs) : "typed";
  if (typed === "away") return await leaveForLater(invocation, cursor);
  if (typed === "pauses") return await leaveForNext(invocation, cursor);
  const now = invocation.screen?.picture ?? screen.picture;
  const wasDone = hasHappened(invocation, cursor, unknown, now);
  if (wasDone) invocation.trail = trailAfter(unknown, now);
  const kept = await keepPicture(invocation, step);
  const next = wasDone ? nextAfter(cursor, filled) : ({ kind: "again" } as const);
  await executions.recordOutcome(step, { ...outcome(invocation, step, "unknown", next), ...kept });
  return { kind: "next", cursor: placeAfter(cursor, next), waitSeconds: 0, yields: false };
}

/**
 * Whether an action of which nobody knows has been done, judged by what is seen. A changed screen says so. An unchanged
 * one says that nothing was typed; of a click or a key it says so unless what comes next can begin as it is.
 */
function hasHappened(
  invocation: Invocation,
  cursor: Cursor,
  unknown: Omit<SentStep, "acted">,
  now: Picture,
): boolean {
  const { element, before } = unknown;
  const { action } = element;
  // What some of them give back is not there otherwise.
  if (actionKinds[action.type].ifUnknown === "again") return false;
  if (action.type === "type" && before !== undefined) return hasTyped(unknown, now);
  if (action.type === "type")
    return matchElement(now, element, contextHere(invocation, cursor))?.isFound !== true;
  const isChanged =
    before !== undefined &&
    (!isSameSize(before, now) || changedParts(before, now, invocation.trail.painted).some(isMoreThanCaret));
  const isNext = () => isScreenOf(invocation, now, isOfReset(cursor) ? 0 : cursor.element + 1);
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

function contextHere(invocation: Invocation, { element, reset }: Cursor) {
  const at = reset?.at;
  return typeof at === "number"
    ? contextOf(invocation, invocation.trail, at, invocation.plan.trajectory.reset)
    : contextOf(invocation, invocation.trail, element);
}

async function pictureBefore({ deps }: Invocation, { pictureKey }: RunStep): Promise<Picture | undefined> {
  if (pictureKey === null) return undefined;
  const png = await deps.files.get(pictureKey, pictureBytesMax);
  return png && deps.pictures.decode(png);
}
