import { countCells, hasMostCells } from "../picture/cells.ts";
import { changedParts, guardSizeMax, isMoreThanCaret } from "../picture/changes.ts";
import { grown, holds, isSameSize, type Picture, type Rectangle } from "../picture/picture.ts";
import { isFlatPicture } from "../picture/template.ts";
import type { TrajectoryElement } from "../trajectory/trajectory-element.ts";
import { differingCells, type ElementMatch, type MatchContext } from "./match-element.ts";

/** A screen that resembles nothing recorded counts as another one after this time. */
const deadEndMs = 3_000;

/** A program that opens slowly may still show one of this many earlier recorded screens. */
const screensBeforeMax = 3;

interface ChangedPart {
  readonly part: Rectangle;
  readonly times: number;
  readonly lastMs: number;
}

/** Since then nothing has changed but small parts in their places, such as a clock or a spinner. */
export interface StillScreen {
  readonly picture: Picture;
  readonly sinceMs: number;
  readonly changed: readonly ChangedPart[];
}

/** A changing digit may be narrower than its neighbour, in pixels. */
const besidePixels = 8;

export function stillSince(before: StillScreen | undefined, picture: Picture, nowMs: number): StillScreen {
  const begun = { picture, sinceMs: nowMs, changed: [] };
  if (before === undefined || !isSameSize(before.picture, picture)) return begun;
  const parts = changedParts(before.picture, picture).filter(isMoreThanCaret);
  if (!parts.every(isSmall)) return begun;
  return {
    ...before,
    picture,
    changed: parts.reduce((known, part) => withPart(known, part, nowMs), before.changed),
  };
}

function isSmall({ width, height }: Rectangle): boolean {
  return width <= guardSizeMax.width && height <= guardSizeMax.height;
}

function withPart(known: readonly ChangedPart[], part: Rectangle, lastMs: number): readonly ChangedPart[] {
  const at = known.findIndex((each) => holds(grown(each.part, besidePixels), part));
  const same = known[at];
  return same === undefined
    ? [...known, { part, times: 1, lastMs }]
    : known.with(at, { ...same, times: same.times + 1, lastMs });
}

/** A part that has changed once may be the first of more changes. */
export function isStill({ sinceMs, changed }: StillScreen, nowMs: number): boolean {
  const isOver = (ms: number) => nowMs - ms >= deadEndMs;
  return isOver(sinceMs) && changed.every(({ times, lastMs }) => times > 1 || isOver(lastMs));
}

/** An opening program shows part of an earlier screen, and a loading one is empty: neither is another screen. */
export function isNothingAlike(
  screen: Picture,
  { element, before }: { readonly element: TrajectoryElement; readonly before: readonly TrajectoryElement[] },
  { reason }: ElementMatch,
  context: MatchContext,
): boolean {
  if (reason !== "no_match" && reason !== "differs") return false;
  const shown = before.filter(({ anchor, guard }) => (anchor ?? guard)?.thumbnail !== undefined);
  const compared = [element, ...shown.slice(-screensBeforeMax)];
  const isOther = (each: TrajectoryElement) => {
    const cells = differingCells(screen, each, context);
    return cells !== undefined && hasMostCells(countCells(cells));
  };
  return compared.every(isOther) && !isFlatPicture(screen);
}
