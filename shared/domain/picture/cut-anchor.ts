import { type Anchor, findAnchor, type MatchLimits, matchLimits } from "./find-anchor.ts";
import { greyOf } from "./grey-plane.ts";
import { clip, crop, moveInside, type Picture, type Point, type Rectangle, type Size } from "./picture.ts";
import { trimToPane } from "./surface.ts";

/** The smallest is tried first: content around a control may differ the next time. */
export const anchorSizes: readonly Size[] = [
  { width: 64, height: 64 },
  { width: 128, height: 64 },
  { width: 256, height: 96 },
];

/** A moving window brings along the surroundings beyond the search radius. */
export const uniqueWithinPixels = 128;

export interface CutOptions {
  readonly masks?: readonly Rectangle[];
  /** @default anchorSizes */
  readonly sizes?: readonly Size[];
  /** @default matchLimits */
  readonly limits?: MatchLimits;
}

interface CutWays {
  readonly partsOf: (piece: Rectangle) => readonly Rectangle[];
  /** @default none */
  readonly isFit?: (anchor: Anchor) => boolean;
}

/** The smallest unique piece is taken, preferably one that cuts no text apart and shows nothing beside a window. */
export function cutAnchor(screen: Picture, point: Point, options: CutOptions = {}): Anchor | null {
  const partsOf = (part: Rectangle) => [trimToPane(screen, part, point), part];
  return cutSmallest(screen, point, options, { partsOf });
}

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

export function around(point: Point, { width, height }: Size): Rectangle {
  return { x: point.x - width / 2, y: point.y - height / 2, width, height };
}

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

const linePixels = 8;
const wordGapPixels = 6;
const inkDifference = 24;

/** Two rows of a list may differ only in the ends of their names. */
function cutsText(screen: Picture, part: Rectangle, point: Point): boolean {
  return [part.x, part.x + part.width].some((border) => {
    if (border === 0 || border === screen.width) return false;
    const strip = clip(screen, {
      x: border - wordGapPixels,
      y: point.y - linePixels,
      width: 2 * wordGapPixels,
      height: 2 * linePixels,
    });
    if (strip === undefined) return false;
    const { values, width } = greyOf(screen, strip);
    return values.some(
      (value, at) => at % width > 0 && Math.abs(value - (values[at - 1] ?? 0)) > inkDifference,
    );
  });
}
