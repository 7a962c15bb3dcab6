import { type Action, isKeyboard, isPointing } from "../../action/action.ts";
import { isoTimestamp } from "../../clock.ts";
import type { RunStep } from "../../run-step/run-step.ts";
import type { TrajectoryElement } from "../../trajectory/trajectory-element.ts";
import type { Cursor } from "../execution.ts";
import { elementOfStep } from "../start/trail.ts";
import { fillAction } from "../texts/fill-action.ts";
import type { World } from "../world.ts";
import { type Awaited, awaitElement } from "./await-element.ts";
import { leaveForLater, leaveForNext } from "./away.ts";
import { divergedStep } from "./diverged-step.ts";
import { newStep } from "./new-step.ts";
import { sendOnce } from "./send-once.ts";
import { settleStep } from "./settle-step.ts";
import { shownAction } from "./shown-action.ts";
import { afterLeftOut, placeAfter, type StepResult } from "./step-result.ts";

/** Waits for the recorded screen, does the action once, and records what became of it. */
export async function actStep(world: World, cursor: Cursor, element: TrajectoryElement): Promise<StepResult> {
  const { action } = element;
  const needsScreen = (isPointing(action) || isKeyboard(action)) && cursor.piece === 0;
  const awaited: Awaited = needsScreen
    ? await awaitElement(world, cursor.element, element, cursor.waitedMs)
    : { kind: "found", trail: world.trail, match: null };
  switch (awaited.kind) {
    case "away":
      return await leaveForLater(world, cursor);
    case "pauses":
      return await leaveForNext(world, { ...cursor, waitedMs: awaited.waitedMs });
    case "left_out":
      return await leaveOut(world, cursor, action);
    case "differs":
      return await divergedStep(world, cursor, element, awaited.match);
    case "found":
      return await send(world, cursor, element, awaited);
  }
}

/** The row says that it was not needed. */
async function leaveOut(world: World, cursor: Cursor, action: Action): Promise<StepResult> {
  const { deps, trail } = world;
  const step = newStep(world, cursor, {
    action: shownAction(action),
    match: null,
    status: "skipped",
    trail: { ...trail, element: cursor.element },
    startedAt: isoTimestamp(deps.clock.now()),
  });
  world.trail = step.trail;
  if (!(await deps.executions.recordStep({ ...step, durationMs: 0 }))) return { kind: "ended" };
  return { kind: "next", cursor: afterLeftOut(cursor), waitSeconds: 0, yields: false };
}

/** Does the action of an element whose screen is seen. */
export async function send(
  world: World,
  cursor: Cursor,
  element: TrajectoryElement,
  { trail, match }: Extract<Awaited, { kind: "found" }>,
): Promise<StepResult> {
  const { deps, screen: before } = world;
  const filled = await fillAction(world, element.action, { piece: cursor.piece, movedBy: trail.movedBy });
  if (filled.kind === "end") return { kind: "end", end: filled.end, cursor };
  const step: RunStep = newStep(world, cursor, {
    action: filled.shown,
    match,
    ...elementOfStep(trail, cursor),
    startedAt: isoTimestamp(deps.clock.now()),
  });
  // An input may be empty; a desktop takes no such text.
  if (filled.sent.text === "") {
    world.trail = step.trail;
    const isOurs = await deps.executions.recordStep({ ...step, status: "skipped", durationMs: 0 });
    const next = { cursor: placeAfter(cursor, undefined), waitSeconds: 0, yields: false };
    return isOurs ? { kind: "next", ...next } : { kind: "ended" };
  }
  const acted = await sendOnce(world, step, filled.sent);
  if (acted === undefined) return { kind: "ended" };
  const screen = { before: before?.picture, isBeforeStored: false };
  return await settleStep(world, cursor, { element, step, acted, filled, ...screen });
}
