import { type Action, actionKinds, isKeyboard, isPointing, pointOf } from "../../action/action.ts";
import type { Picture } from "../../picture/picture.ts";
import type { TrajectoryElement } from "../../trajectory/trajectory-element.ts";
import type { Invocation } from "../step/invocation.ts";
import { contextOf } from "./context-of.ts";
import { matchElement, matchPiece } from "./match-element.ts";

/** After so many recorded screens a repaired replay goes on at the latest. */
const screensMax = 3;

/**
 * Whether the screen is the one on which that element was recorded: the last one, for what ends the replay. What a
 * repair under way has met or changed is compared, too.
 */
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

/** Whether what an element acts on is to be seen, whatever a repair under way has met or changed besides. */
export function isPieceOf(invocation: Invocation, screen: Picture, at: number): boolean {
  const element = invocation.plan.trajectory.elements[at];
  if (element === undefined || (element.anchor ?? element.guard) === undefined) return false;
  return matchElement(screen, element, contextOf(invocation, invocation.trail, at))?.isFound === true;
}

/** Whether the screen is that of the first element after an optional one that is not, or of another optional one before it. */
export function isPast(invocation: Invocation, screen: Picture, at: number): boolean {
  const { elements } = invocation.plan.trajectory;
  const needed = elements.findIndex((each, place) => place > at && each.optional !== true);
  const end = needed < 0 ? elements.length : needed;
  if (!needsNoScreen(invocation, end) && isScreenOf(invocation, screen, end)) return true;
  if (isScreenOf(invocation, screen, at)) return false;
  const others = elements.slice(at + 1, end).map((_, place) => at + 1 + place);
  return others.some((other) => !needsNoScreen(invocation, other) && isScreenOf(invocation, screen, other));
}

/** The element, and those after it that may be gone on with instead: what gives a value is left out by none. */
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

/** Whether the replay is at its end there. */
export function isEnd({ plan }: Invocation, at: number): boolean {
  const element = plan.trajectory.elements[at];
  return element === undefined || element.action.type === "finish";
}

/** Whether an element can be done without its screen: there is none. */
export function needsNoScreen({ plan }: Invocation, at: number): boolean {
  const element = plan.trajectory.elements[at];
  if (element === undefined || element.action.type === "finish") return plan.trajectory.expect.length === 0;
  return !needsScreen(element);
}

/** Whether it is done on its recorded screen only. */
export function needsScreen({ by, action }: TrajectoryElement): boolean {
  return by !== "model" && hasScreen(action);
}

function hasScreen(action: Action): boolean {
  return isKeyboard(action) || (isPointing(action) && pointOf(action) !== undefined);
}
