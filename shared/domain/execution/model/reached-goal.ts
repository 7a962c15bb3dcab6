import { type Action, isPointing, pointOf } from "../../action/action.ts";
import { countCells, noCells } from "../../picture/cells.ts";
import { isSameSize, type Picture, type Point } from "../../picture/picture.ts";
import type { RepairTrail } from "../../run-step/run-step.ts";
import { contextOf, differingCells, matchElement } from "../../screen/match-element.ts";
import { isPieceOf, isScreenOf, nextScreens } from "../../screen/recorded-screens.ts";
import type { Cursor } from "../execution.ts";
import type { Invocation } from "../step/invocation.ts";

/** The repaired step can continue once its piece is seen; a later one needs its whole screen, or the step done. */
export function reachedGoal(
  invocation: Invocation,
  { element: own }: Cursor,
  goals: readonly number[],
  screen: Picture,
): number | undefined {
  const { repair } = invocation.trail;
  const isReached = (at: number) => mayGoOnAt(invocation, own, at) && isScreenOf(invocation, screen, at);
  if (repair === undefined) return undefined;
  if (!repair.isStepDone) return isOwnReached(invocation, own, repair, screen) ? own : goals.find(isReached);
  const [next] = nextScreens(invocation, own + 1);
  if (next !== undefined && isPieceOf(invocation, screen, next)) return next;
  return goals.filter((at) => at !== own).find(isReached);
}

/** Skipping must not lose typed text: the next screen may look as if it were there. */
export function mayGoOnAt({ plan, trail: { repair } }: Invocation, own: number, at: number): boolean {
  const passed = plan.trajectory.elements.slice(own, at);
  return passed.every(
    ({ action }, place) => action.type !== "type" || (place === 0 && repair?.isStepDone === true),
  );
}

/** An obstacle is gone once the number of differing cells has fallen by this factor. */
const goneFactor = 2;

function isOwnReached(
  invocation: Invocation,
  own: number,
  { differed }: RepairTrail,
  screen: Picture,
): boolean {
  if (isScreenOf(invocation, screen, own)) return true;
  if (!isPieceOf(invocation, screen, own)) return false;
  if (differed === null) return true;
  const element = invocation.plan.trajectory.elements[own];
  const cells = element && differingCells(screen, element, contextOf(invocation, invocation.trail, own));
  return countCells(cells ?? noCells()) * goneFactor <= differed;
}

/** Half of the smallest anchor, in pixels. */
const nearPixels = 32;

/** An action with a similar target, the same place or the same text is the step itself. */
export function isStepItself(
  invocation: Invocation,
  { element: at }: Cursor,
  action: Action,
  before: Picture | undefined,
): boolean {
  const own = invocation.plan.trajectory.elements[at];
  if (own === undefined || own.action.type !== action.type) return false;
  if (fieldsOf(own.action) !== fieldsOf(action)) return false;
  if (action.type === "type" || action.type === "key") return true;
  const target = own.action.target === undefined ? undefined : invocation.filled(own.action.target);
  if (target !== undefined && isNamedAlike(target, action.target)) return true;
  const point = isPointing(action) ? pointOf(action) : undefined;
  const recorded = isPointing(own.action) ? pointOf(own.action) : undefined;
  if (point === undefined || recorded === undefined || before === undefined) return false;
  const { recordedSize, ...context } = contextOf(invocation, invocation.trail, at);
  if (!isSameSize(before, recordedSize ?? before)) return false;
  const match = matchElement(before, own, { ...context, recordedSize });
  const isSeen = match?.isFound === true || match?.reason === "other_screen";
  return isSeen && isNear(point, { x: recorded.x + match.movedBy.dx, y: recorded.y + match.movedBy.dy });
}

function fieldsOf(action: Action): string {
  const isOfPlace = /^(target|(start_|to_)?[xy])$/;
  return JSON.stringify(
    Object.entries(action)
      .filter(([name, value]) => !isOfPlace.test(name) && value !== undefined)
      .toSorted(([a], [b]) => a.localeCompare(b)),
  );
}

const fillers: ReadonlySet<string> = new Set(["a", "an", "the", "of", "in", "on", "at", "to", "for", "with"]);

function isNamedAlike(target: string, other: string | undefined): boolean {
  const wanted = wordsIn(target);
  const said = new Set(wordsIn(other ?? ""));
  return wanted.filter((word) => said.has(word)).length * 2 > wanted.length;
}

function wordsIn(text: string): readonly string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return [...new Set(words)].filter((word) => !fillers.has(word));
}

function isNear(a: Point, b: Point): boolean {
  return Math.max(Math.abs(a.x - b.x), Math.abs(a.y - b.y)) <= nearPixels;
}
