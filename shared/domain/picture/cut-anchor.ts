import { cutsText } from "./cuts-text.ts";
import { type Anchor, findAnchor, type MatchLimits, matchLimits } from "./find-anchor.ts";
import { crop, moveInside, type Picture, type Point, type Rectangle, type Size } from "./picture.ts";
import { trimToPane } from "./trim-to-pane.ts";

/** The smallest first: what lies around a control may be another one's next time. */
export const anchorSizes: readonly Size[] = [
  { width: 64, height: 64 },
  { width: 128, height: 64 },
  { width: 256, height: 96 },
];

/** Twice as far as an anchor is looked for: a window that moves brings along what is beyond. */
export const uniqueWithinPixels = 128;

export interface CutOptions {
  /** Parts that are not compared when it is looked for. */
  readonly masks?: readonly Rectangle[];
  /** @default anchorSizes */
  readonly sizes?: readonly Size[];
  /** @default matchLimits */
  readonly limits?: MatchLimits;
}

interface CutWays {
  /** The parts of a piece that may be taken for it, the best one first. */
  readonly partsOf: (piece: Rectangle) => readonly Rectangle[];
  /** A further condition on a unique piece. @default none */
  readonly isFit?: (anchor: Anchor) => boolean;
}

/**
 * Cuts out the piece around a point by which it can be found again: the smallest that is unique on its own screen and
 * does not cut a text apart, or else the smallest that is unique; null where none is. Without what lies beyond a
 * window's border, where it is unique without that.
 */
export function cutAnchor(screen: Picture, point: Point, options: CutOptions = {}): Anchor | null {
  const partsOf = (part: Rectangle) => [trimToPane(screen, part, point), part];
  return cutSmallest(screen, point, options, { partsOf });
}

/** The same of pieces around a place that are cut in a way of the caller's own. */
export function cutSmallest(
  screen: Picture,
  center: Point,
  { masks = [], sizes = anchorSizes, limits = matchLimits }: CutOptions,
  { partsOf, isFit = () => true }: CutWays,
): Anchor | null {
  const unique = (part: Rectangle): Anchor | undefined => {
    const anchor = { x: part.x, y: part.y, piece: crop(screen, part) };
    const match = findAnchor(screen, anchor, { masks, limits, radius: uniqueWithinPixels });
    return match.kind === "found" && isFit(anchor) ? anchor : undefined;
  };
  let smallest: Anchor | null = null;
  for (const size of sizes) {
    const part = moveInside(screen, around(center, size));
    const isWhole = !cutsText(screen, part, center);
    if (smallest !== null && !isWhole) continue;
    const anchor = firstOf(partsOf(part), unique);
    if (anchor === undefined) continue;
    if (isWhole) return anchor;
    smallest = anchor;
  }
  return smallest;
}

/** @param point in the middle of it. */
export function around(point: Point, { width, height }: Size): Rectangle {
  return { x: point.x - width / 2, y: point.y - height / 2, width, height };
}

/** The first result that there is. */
export function firstOf<Item, Result>(
  items: readonly Item[],
  read: (item: Item) => Result | undefined,
): Result | undefined {
  for (const item of items) {
    const result = read(item);
    if (result !== undefined) return result;
  }
  return undefined;
}
