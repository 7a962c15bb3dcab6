import { type Anchor, findAnchor, type MatchLimits, matchLimits } from "./find-anchor.ts";
import { greyOf } from "./grey-plane.ts";
import { clip, crop, moveInside, type Picture, type Point, type Rectangle, type Size } from "./picture.ts";
import { trimToPane } from "./trim-to-pane.ts";

/** The smallest first: what lies around a control may be another one's next time. */
const anchorSizes: readonly Size[] = [
  { width: 64, height: 64 },
  { width: 128, height: 64 },
  { width: 256, height: 96 },
];

/** Twice as far as an anchor is looked for: a window that moves brings along what is beyond. */
const uniqueWithinPixels = 128;

export interface CutOptions {
  /** Parts that are not compared when it is looked for. */
  readonly masks?: readonly Rectangle[];
  /** @default anchorSizes */
  readonly sizes?: readonly Size[];
  /** @default matchLimits */
  readonly limits?: MatchLimits;
}

/**
 * Cuts out the piece around a point by which it can be found again: the smallest that is unique on its own screen and
 * does not cut a text apart, or else the smallest that is unique; null where none is. Without what lies beyond a
 * window's border, where it is unique without that.
 */
export function cutAnchor(screen: Picture, point: Point, options: CutOptions = {}): Anchor | null {
  const { masks = [], sizes = anchorSizes, limits = matchLimits } = options;
  const unique = (part: Rectangle): Anchor | undefined => {
    const anchor = { x: part.x, y: part.y, piece: crop(screen, part) };
    const match = findAnchor(screen, anchor, { masks, limits, radius: uniqueWithinPixels });
    return match.kind === "found" ? anchor : undefined;
  };
  let smallest: Anchor | null = null;
  for (const { width, height } of sizes) {
    const around = { x: point.x - width / 2, y: point.y - height / 2, width, height };
    const part = moveInside(screen, around);
    const isWhole = !cutsText(screen, part, point);
    if (smallest !== null && !isWhole) continue;
    const anchor = unique(trimToPane(screen, part, point)) ?? unique(part);
    if (anchor === undefined) continue;
    if (isWhole) return anchor;
    smallest = anchor;
  }
  return smallest;
}

/** Half a line's height, and the space between two words. */
const linePixels = 8;
const wordGapPixels = 6;
const inkDifference = 24;

/**
 * Whether the line at the point goes on beyond the piece's left or right border: two rows of a list may differ in the
 * names' ends alone.
 */
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
