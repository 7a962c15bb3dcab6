import { type Action, isKeyboard, isPointing } from "../../action/action.ts";
import { isoTimestamp } from "../../clock.ts";
import type { RunStep } from "../../run-step/run-step.ts";
import type { TrajectoryElement } from "../../trajectory/trajectory-element.ts";
import type { Cursor } from "../execution.ts";
import { goOn } from "../model/model-cursor.ts";
import { beginElement } from "../model/repair.ts";
import { type Awaited, awaitElement } from "../screen/await-element.ts";
import { leaveForLater, leaveForNext } from "../step/away.ts";
import { fillAction } from "../step/fill-action.ts";
import type { Invocation } from "../step/invocation.ts";
import { newStep } from "../step/new-step.ts";
import { sendOnce } from "../step/send-once.ts";
import { shownAction } from "../step/shown-action.ts";
import { afterLeftOut, placeAfter, type StepResult } from "../step/step-result.ts";
import { elementOfStep } from "../step/trail.ts";
import { releaseTry } from "../step/tries.ts";
import { divergedStep } from "./diverged-step.ts";
import { settleStep } from "./settle-step.ts";

/** Waits for the recorded screen, does the action once, and records what became of it. */
export async function actStep(
  invocation: Invocation,
  cursor: Cursor,
  element: TrajectoryElement,
): Promise<StepResult> {
  const { action } = element;
  const { screen: shown } = invocation;
  const needsScreen = (isPointing(action) || isKeyboard(action)) && cursor.piece === 0;
  const awaited: Awaited = needsScreen
    ? await awaitElement(invocation, cursor.element, element, cursor.waitedMs)
    : { kind: "found", trail: invocation.trail, match: null };
  switch (awaited.kind) {
    case "away":
      return await leaveForLater(invocation, cursor);
    case "pauses":
      return await leaveForNext(invocation, { ...cursor, waitedMs: awaited.waitedMs });
    case "left_out":
      return await leaveOut(invocation, cursor, action);
    case "differs":
      return await divergedStep(invocation, cursor, element, awaited.match);
    case "found":
      if (element.isFromScreen !== true || invocation.plan.model === null) {
        return await send(invocation, cursor, element, awaited);
      }
      // Its screen is seen, and may show another text than the recorded one.
      invocation.trail = awaited.trail;
      await releaseTry(invocation, cursor);
      return goOn(cursor, beginElement(invocation, cursor, shown));
  }
}

/** The row says that it was not needed. */
async function leaveOut(invocation: Invocation, cursor: Cursor, action: Action): Promise<StepResult> {
  const { deps, trail } = invocation;
  const step = newStep(invocation, cursor, {
    action: shownAction(action),
    match: null,
    status: "skipped",
    trail: { ...trail, element: cursor.element },
    startedAt: isoTimestamp(deps.clock.now()),
  });
  invocation.trail = step.trail;
  if (!(await deps.executions.recordStep({ ...step, durationMs: 0 }))) return { kind: "ended" };
  return { kind: "next", cursor: afterLeftOut(cursor), waitSeconds: 0, yields: false };
}

/** Does the action of an element whose screen is seen. */
export async function send(
  invocation: Invocation,
  cursor: Cursor,
  element: TrajectoryElement,
  { trail, match }: Extract<Awaited, { kind: "found" }>,
): Promise<StepResult> {
  const { deps, screen: before } = invocation;
  const filled = await fillAction(invocation, element.action, {
    piece: cursor.piece,
    movedBy: trail.movedBy,
  });
  if (filled.kind === "end") return { kind: "end", end: filled.end, cursor };
  const step: RunStep = newStep(invocation, cursor, {
    action: filled.shown,
    match,
    ...elementOfStep(trail, cursor),
    startedAt: isoTimestamp(deps.clock.now()),
  });
  // An input may be empty; a desktop takes no such text.
  if (filled.sent.text === "") {
    invocation.trail = step.trail;
    const isOurs = await deps.executions.recordStep({ ...step, status: "skipped", durationMs: 0 });
    const next = { cursor: placeAfter(cursor, undefined), waitSeconds: 0, yields: false };
    return isOurs ? { kind: "next", ...next } : { kind: "ended" };
  }
  const acted = await sendOnce(invocation, step, filled.sent);
  if (acted === undefined) return { kind: "ended" };
  const screen = { before: before?.picture, isBeforeStored: false };
  return await settleStep(invocation, cursor, { element, step, acted, filled, ...screen });
}
