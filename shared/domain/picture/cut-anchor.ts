import { type Anchor, findAnchor, type MatchLimits, matchLimits } from "./find-anchor.ts";
import { crop, moveInside, type Picture, type Point, type Rectangle, type Size } from "./picture.ts";

/** The smallest first: what lies around a control may be another one's next time. */
export const anchorSizes: readonly Size[] = [
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
 * Cuts out the piece around a point by which it can be found again, the smallest that is unique on its own screen;
 * null where none is.
 */
export function cutAnchor(screen: Picture, point: Point, options: CutOptions = {}): Anchor | null {
  const { masks = [], sizes = anchorSizes, limits = matchLimits } = options;
  for (const { width, height } of sizes) {
    const around = { x: point.x - width / 2, y: point.y - height / 2, width, height };
    const part = moveInside(screen, around);
    const anchor = { x: part.x, y: part.y, piece: crop(screen, part) };
    const match = findAnchor(screen, anchor, { masks, limits, radius: uniqueWithinPixels });
    if (match.kind === "found") return anchor;
  }
  return null;
}
