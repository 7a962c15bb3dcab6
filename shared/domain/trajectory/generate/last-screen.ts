import { changedParts, distance, isMoreThanCaret } from "../../picture/changes.ts";
import { cutAnchor } from "../../picture/cut-anchor.ts";
import { type Anchor, findAnchor } from "../../picture/find-anchor.ts";
import {
  holds,
  isSameSize,
  overlap,
  type Picture,
  type Point,
  type Rectangle,
} from "../../picture/picture.ts";
import { placesLike } from "../../picture/places-like.ts";
import { structuredPlaces } from "../../picture/structured-places.ts";

/** As many as a trajectory may expect. */
const piecesMax = 8;
/** Of each part, the most structured first. */
const placesTried = 4;

/** A digit of a clock is as small: what is no larger counts only beside what was done. */
const smallSize = { width: 32, height: 24 } as const;
const besidePixels = 160;

export interface LastChange {
  /** The screen before an action. */
  readonly before: Picture;
  /** Where that was done. */
  readonly near: Point | undefined;
}

export interface LastScreenOptions {
  /** Parts that a replay does not compare: they show the run's own values. */
  readonly masks: readonly Rectangle[];
  /** Parts of which no piece may show anything. */
  readonly avoided: readonly Rectangle[];
  /** What the run's own values look like: where one is seen again, another one is with other values. */
  readonly values: readonly Picture[];
  readonly isInTime: () => boolean;
}

/**
 * Pieces by which the last screen is known: the most structured of each part that was another one before the action, the
 * largest part first. None is to be found on the screen before it.
 */
export function lastPieces(
  last: Picture,
  { before, near }: LastChange,
  { masks, avoided, values, isInTime }: LastScreenOptions,
): readonly Anchor[] {
  if (!isSameSize(before, last)) return [];
  const pieces: Anchor[] = [];
  const parts = changedParts(before, last, masks);
  const shown = values.flatMap((value) => parts.flatMap((part) => placesLike(last, value, part)));
  const isFree = (anchor: Anchor) =>
    ![...avoided, ...shown, ...pieces.map(frameOf)].some((part) => overlap(part, frameOf(anchor)));
  for (const part of parts.filter((each) => isOfAction(each, near))) {
    if (pieces.length >= piecesMax || !isInTime()) break;
    const places = structuredPlaces(before, last, part, masks).slice(0, placesTried);
    for (const place of places) {
      const anchor = cutAnchor(last, place, { masks });
      if (anchor === null || !isFree(anchor)) continue;
      if (findAnchor(before, anchor, { masks }).kind === "found") continue;
      pieces.push(anchor);
      break;
    }
  }
  return pieces;
}

function isOfAction(part: Rectangle, near: Point | undefined): boolean {
  if (!isMoreThanCaret(part)) return false;
  if (!holds(smallSize, { ...part, x: 0, y: 0 })) return true;
  return near !== undefined && distance(part, near) <= besidePixels;
}

function frameOf({ x, y, piece: { width, height } }: Anchor): Rectangle {
  return { x, y, width, height };
}
