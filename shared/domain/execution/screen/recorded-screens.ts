import { actionKinds } from "../../action/action.ts";
import type { Picture } from "../../picture/picture.ts";
import { hasScreen, needsScreen } from "../../trajectory/trajectory-element.ts";
import type { Invocation } from "../step/invocation.ts";
import { contextOf } from "./context-of.ts";
import { matchElement, matchPiece } from "./match-element.ts";

const screensMax = 3;

/** What a repair has met or changed is compared, too. */
export function isScreenOf(invocation: Invocation, screen: Picture, at: number): boolean {
  const { elements, expect } = invocation.plan.trajectory;
  const element = elements[at];
  const { repair: _repair, ...trail } = invocation.trail;
  const context = contextOf(invocation, trail, at);
  if (element === undefined || isEnd(invocation, at)) {
    return expect.length > 0 && expect.every((piece) => matchPiece(screen, piece, context).isFound);
  }
  return matchElement(screen, element, context)?.isFound === true;
}

/** Cells that a repair has met or changed are left out. */
export function isPieceOf(invocation: Invocation, screen: Picture, at: number): boolean {
  const element = invocation.plan.trajectory.elements[at];
  if (element === undefined || (element.anchor ?? element.guard) === undefined) return false;
  return matchElement(screen, element, contextOf(invocation, invocation.trail, at))?.isFound === true;
}

/** Optional elements count as past when the next needed screen is seen, or that of a later optional one. */
export function isPast(invocation: Invocation, screen: Picture, at: number): boolean {
  const { elements } = invocation.plan.trajectory;
  const needed = elements.findIndex((each, place) => place > at && each.optional !== true);
  const end = needed < 0 ? elements.length : needed;
  if (!needsNoScreen(invocation, end) && isScreenOf(invocation, screen, end)) return true;
  if (isScreenOf(invocation, screen, at)) return false;
  const others = elements.slice(at + 1, end).map((_, place) => at + 1 + place);
  return others.some((other) => !needsNoScreen(invocation, other) && isScreenOf(invocation, screen, other));
}

/** Elements that give a value are never skipped. */
export function nextScreens({ plan }: Invocation, from: number): readonly number[] {
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

export function isEnd({ plan }: Invocation, at: number): boolean {
  const element = plan.trajectory.elements[at];
  return element === undefined || element.action.type === "finish";
}

export function needsNoScreen({ plan }: Invocation, at: number): boolean {
  const element = plan.trajectory.elements[at];
  if (element === undefined || element.action.type === "finish") return plan.trajectory.expect.length === 0;
  return !needsScreen(element);
}
