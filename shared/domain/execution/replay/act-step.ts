import { isoTimestamp } from "../../clock.ts";
import { isKeyboard, isPointing } from "../../trajectory/action.ts";
import type { TrajectoryElement } from "../../trajectory/trajectory-element.ts";
import type { Cursor, RunStep } from "../execution.ts";
import { elementOfStep } from "../start/trail.ts";
import { fillAction } from "../texts/fill-action.ts";
import type { World } from "../world.ts";
import { type Awaited, awaitElement } from "./await-element.ts";
import { leaveForLater, leaveForNext } from "./away.ts";
import { divergedStep } from "./diverged-step.ts";
import { newStep } from "./new-step.ts";
import { sendOnce } from "./send-once.ts";
import { settleStep } from "./settle-step.ts";
import { placeAfter, type StepResult } from "./step-result.ts";

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
    case "differs":
      return await divergedStep(world, cursor, element, awaited.match);
    case "found":
      return await send(world, cursor, element, awaited);
  }
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
