import { actionKinds } from "../action/action.ts";
import type { Picture } from "../picture/picture.ts";
import { hasScreen, needsScreen } from "../trajectory/trajectory-element.ts";
import { contextOf, matchElement, matchPiece, type Replay } from "./match-element.ts";

const screensMax = 3;

/** Cells that a repair has met or changed are compared, too. */
export function isScreenOf(replay: Replay, screen: Picture, at: number): boolean {
  const { elements, expect } = replay.plan.trajectory;
  const element = elements[at];
  const { repair: _repair, ...trail } = replay.trail;
  const context = contextOf(replay, trail, at);
  if (element === undefined || isEnd(replay, at)) {
    return expect.length > 0 && expect.every((piece) => matchPiece(screen, piece, context).isFound);
  }
  return matchElement(screen, element, context)?.isFound === true;
}

/** Cells that a repair has met or changed are left out. */
export function isPieceOf(replay: Replay, screen: Picture, at: number): boolean {
  const element = replay.plan.trajectory.elements[at];
  if (element === undefined || (element.anchor ?? element.guard) === undefined) return false;
  return matchElement(screen, element, contextOf(replay, replay.trail, at))?.isFound === true;
}

/** An optional element counts as past when the next needed screen, or that of a later optional one, is visible. */
export function isPast(replay: Replay, screen: Picture, at: number): boolean {
  const { elements } = replay.plan.trajectory;
  const needed = elements.findIndex((each, place) => place > at && each.optional !== true);
  const end = needed < 0 ? elements.length : needed;
  if (!needsNoScreen(replay, end) && isScreenOf(replay, screen, end)) return true;
  if (isScreenOf(replay, screen, at)) return false;
  const others = elements.slice(at + 1, end).map((_, place) => at + 1 + place);
  return others.some((other) => !needsNoScreen(replay, other) && isScreenOf(replay, screen, other));
}

/** Elements that produce a value are never skipped. */
export function nextScreens({ plan }: Pick<Replay, "plan">, from: number): readonly number[] {
  const { elements } = plan.trajectory;
  const found: number[] = [];
  for (let at = from; found.length < screensMax; at += 1) {
    const element = elements[at];
    if (element === undefined || element.action.type === "finish") return [...found, at];
    const { action, by } = element;
    if (by === "replay" && hasScreen(action)) found.push(at);
    else if (by === "model" || actionKinds[action.type].doneBy !== "service") return found;
  }
  return found;
}

export function isEnd({ plan }: Pick<Replay, "plan">, at: number): boolean {
  const element = plan.trajectory.elements[at];
  return element === undefined || element.action.type === "finish";
}

export function needsNoScreen({ plan }: Pick<Replay, "plan">, at: number): boolean {
  const element = plan.trajectory.elements[at];
  if (element === undefined || element.action.type === "finish") return plan.trajectory.expect.length === 0;
  return !needsScreen(element);
}
