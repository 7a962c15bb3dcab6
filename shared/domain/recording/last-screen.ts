import { changedParts, distance, isMoreThanCaret } from "../picture/changes.ts";
import { anchorSizes, around, cutAnchor, firstOf } from "../picture/cut-anchor.ts";
import { type Anchor, findAnchor } from "../picture/find-anchor.ts";
import { isLinesOnly } from "../picture/lines-only.ts";
import {
  holds,
  isSameSize,
  overlap,
  type Picture,
  type Point,
  type Rectangle,
  type Size,
} from "../picture/picture.ts";
import { placesLike } from "../picture/places-like.ts";
import { structuredPlaces } from "../picture/structured-places.ts";

/** As many as a trajectory may expect. */
const piecesMax = 8;
/** Places that are tried in each part, the most structured first. */
const placesTried = 8;
/** Sizes of pieces of one line, where the line beside it may be in no piece. */
const lineSizes: readonly Size[] = [
  { width: 128, height: 32 },
  { width: 256, height: 32 },
];

/** A digit of a clock is as small: what is no larger counts only beside what was done. */
const smallSize = { width: 32, height: 24 } as const;
const besidePixels = 160;

export interface LastChange {
  /** The screen before an action. */
  readonly before: Picture;
  /** Where that was done. */
  readonly near: Point | undefined;
  /** Whether something was pointed at there: that it looks pressed, or has the focus, is no outcome. */
  readonly isPointed?: boolean;
}

/** The size around a point, as large as most buttons. */
const pointedSize = { width: 160, height: 48 } as const;

export interface LastScreenOptions {
  /** Parts that a replay does not compare: they show the run's own values. */
  readonly masks: readonly Rectangle[];
  /** Parts of which no piece may show anything. */
  readonly avoided: readonly Rectangle[];
  /** Pictures of the run's own values: where one is seen again, another run shows another value. */
  readonly values: readonly Picture[];
  readonly isInTime: () => boolean;
}

/**
 * Pieces by which the last screen is known: the most structured of each part that was another one before the action, the
 * largest part first. None is to be found on the screen before it, shows what was clicked, or nothing but lines: where the focus was
 * and where it is now, a click that came to nothing shows, too.
 */
export function lastPieces(
  last: Picture,
  { before, near, isPointed = false }: LastChange,
  { masks, avoided, values, isInTime }: LastScreenOptions,
): readonly Anchor[] {
  if (!isSameSize(before, last)) return [];
  const pieces: Anchor[] = [];
  const parts = changedParts(before, last, masks);
  const pointed = near && isPointed ? [around(near, pointedSize)] : [];
  const shown = values.flatMap((value) => parts.flatMap((part) => placesLike(last, value, part))).map(lineOf);
  const isFree = (anchor: Anchor) =>
    ![...avoided, ...shown, ...pieces.map(frameOf)].some((part) => overlap(part, frameOf(anchor)));
  for (const part of parts.filter((each) => isOfAction(each, near))) {
    if (pieces.length >= piecesMax || !isInTime()) break;
    const places = structuredPlaces(before, last, part, [...masks, ...pointed]).slice(0, placesTried);
    const isNew = (anchor: Anchor) =>
      isFree(anchor) && findAnchor(before, anchor, { masks }).kind !== "found" && !isLinesOnly(anchor.piece);
    const piece = firstOf(places, (place) =>
      firstOf([anchorSizes, lineSizes], (sizes) => {
        const anchor = cutAnchor(last, place, { masks, sizes });
        return anchor !== null && isNew(anchor) ? anchor : undefined;
      }),
    );
    if (piece !== undefined) pieces.push(piece);
  }
  return pieces;
}

function isOfAction(part: Rectangle, near: Point | undefined): boolean {
  if (!isMoreThanCaret(part)) return false;
  if (!holds(smallSize, { ...part, x: 0, y: 0 })) return true;
  return near !== undefined && distance(part, near) <= besidePixels;
}

/** Content this close beside a value may move with the value's length. */
const besideValuePixels = 160;

function lineOf({ x, y, width, height }: Rectangle): Rectangle {
  return { x: x - besideValuePixels, y, width: width + 2 * besideValuePixels, height };
}

function frameOf({ x, y, piece: { width, height } }: Anchor): Rectangle {
  return { x, y, width, height };
}
