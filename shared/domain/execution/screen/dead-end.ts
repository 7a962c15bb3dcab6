import { countCells, hasMostCells } from "../../picture/cells.ts";
import { sameScreens } from "../../picture/changes.ts";
import type { Picture } from "../../picture/picture.ts";
import { isFlatPicture } from "../../picture/template.ts";
import type { TrajectoryElement } from "../../trajectory/trajectory-element.ts";
import { differingCells, type ElementMatch, type MatchContext } from "./match-element.ts";

/** For how long a screen on which nothing is as recorded has to stay as it is, in milliseconds, to be another one. */
export const deadEndMs = 3_000;

/** Recorded screens before the element's own from which a program may take its time to open. */
const screensBeforeMax = 3;

/** A screen, and since when it has not changed. */
export interface StillScreen {
  readonly picture: Picture;
  readonly sinceMs: number;
}

export function stillSince(before: StillScreen | undefined, picture: Picture, nowMs: number): StillScreen {
  const isStill = before !== undefined && sameScreens(before.picture, picture);
  return { picture, sinceMs: isStill ? before.sinceMs : nowMs };
}

/**
 * Whether nothing is as it was recorded: another theme, or another program in front. On a screen that shows anything of a
 * recorded one before, a program may be opening, and on an empty one something may be loading.
 */
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
