import { changedParts, distance, isMoreThanCaret } from "../picture/changes.ts";
import { anchorSizes, around, cutAnchor, firstOf } from "../picture/cut-anchor.ts";
import { type Anchor, findAnchor } from "../picture/find-anchor.ts";
import { isLinesOnly } from "../picture/ink.ts";
import { matchThumbnail } from "../picture/match-thumbnail.ts";
import {
  grown,
  holds,
  isSameSize,
  overlap,
  type Picture,
  type Point,
  type Rectangle,
  type Size,
} from "../picture/picture.ts";
import { type PictureCodec, pictureOf } from "../picture/picture-codec.ts";
import { placesLike } from "../picture/places-like.ts";
import { structuredPlaces } from "../picture/structured-places.ts";
import type { TrajectoryElement } from "../trajectory/trajectory-element.ts";

const piecesMax = 8;
const placesTried = 8;
const lineSizes: readonly Size[] = [
  { width: 128, height: 32 },
  { width: 256, height: 32 },
];

/** A clock's digit is as small, so a small change counts only beside the action. */
const smallSize = { width: 32, height: 24 } as const;
const besidePixels = 160;

export interface LastChange {
  readonly before: Picture;
  readonly near: Point | undefined;
  /** A pressed or focused look is not an outcome. */
  readonly isPointed?: boolean;
}

const pointedSize = { width: 160, height: 48 } as const;

export interface LastScreenOptions {
  readonly masks: readonly Rectangle[];
  readonly avoided: readonly Rectangle[];
  /** Another run shows another value in these places. */
  readonly values: readonly Picture[];
  readonly isInTime: () => boolean;
}

/**
 * Returns the most structured piece of each changed part, the largest part first. A piece must not be on the screen
 * before, show what was clicked, or consist of lines alone, because a click without effect moves the focus, too.
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
    ![...avoided, ...shown, ...pieces.map(placeOf)].some((part) => overlap(part, placeOf(anchor)));
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

/** Content this close to a value may move with the value's length. */
const besideValuePixels = 160;

function lineOf(part: Rectangle): Rectangle {
  return grown(part, besideValuePixels, 0);
}

function placeOf({ x, y, piece: { width, height } }: Anchor): Rectangle {
  return { x, y, width, height };
}

export function differsFromStart(
  pictures: PictureCodec,
  first: TrajectoryElement | undefined,
  last: Picture | undefined,
): boolean {
  const small = (first?.anchor ?? first?.guard)?.thumbnail;
  if (small === undefined || last === undefined) return false;
  return !matchThumbnail(last, pictureOf(pictures, small)).isSame;
}
