import { anchorSizes, type CutOptions, cutSmallest, uniqueWithinPixels } from "./cut-anchor.ts";
import { type Anchor, findAnchor } from "./find-anchor.ts";
import { isKnownByInk } from "./is-known-by-ink.ts";
import { clip, holds, type Picture, type Point, type Rectangle } from "./picture.ts";
import { type Axis, surfaceAlong } from "./surface.ts";

/** How far from the point the middle of a piece may be: what lies further away says little of it. */
const besidePixelsMax = 320;
/** From one place where a piece is tried to the next. */
const stepPixels = 32;
/** Looked for from there, a piece is not found at its place at once: of lines alone it would not be found at all. */
const elsewhere = { dx: 32, dy: 32 };
/** The smallest width of a piece that the surface's end cuts. */
const sidePixelsMin = 24;

/** How far a surface is followed beside the row or the column, and along it: to the end of the largest piece. */
const reaches = {
  row: { half: 48, reach: besidePixelsMax + 128 },
  column: { half: 128, reach: besidePixelsMax + 48 },
} as const;

/**
 * Cuts out a piece beside a point around which nothing is unique, as in the middle of a wide field: along its row, then
 * along its column, the nearest first; null where none is unique. What the surface of the point does not reach is left
 * out: it need not move with the point. How the point itself looks, such a piece does not say.
 */
export function cutBeside(screen: Picture, point: Point, options: CutOptions = {}): Anchor | null {
  const { masks = [], sizes = anchorSizes } = options;
  const within = { masks, radius: uniqueWithinPixels };
  const isFit = (anchor: Anchor) =>
    isKnownByInk(screen, anchor, within) &&
    findAnchor(screen, anchor, { ...within, movedBy: elsewhere }).kind === "found";
  for (const axis of ["row", "column"] as const) {
    const surface = surfaceAlong(screen, point, axis, reaches[axis]);
    const partsOf = (part: Rectangle) => onSurface(part, surface);
    const centers = placesBeside(point, axis).filter((at) => holds(surface, { ...at, width: 1, height: 1 }));
    // The largest ones are mostly frames of other controls, and come last.
    for (const tried of [sizes.slice(0, -1), sizes.slice(-1)]) {
      for (const center of centers) {
        const anchor = cutSmallest(screen, center, { ...options, sizes: tried }, { partsOf, isFit });
        if (anchor !== null) return anchor;
      }
    }
  }
  return null;
}

/** The nearest first. */
function placesBeside({ x, y }: Point, axis: Axis): readonly Point[] {
  const far = Array.from({ length: besidePixelsMax / stepPixels }, (_, at) => (at + 1) * stepPixels);
  return far.flatMap((pixels) =>
    [-pixels, pixels].map((by) => (axis === "row" ? { x: x + by, y } : { x, y: y + by })),
  );
}

function onSurface(part: Rectangle, surface: Rectangle): readonly Rectangle[] {
  const at = { x: part.x - surface.x, y: part.y - surface.y };
  const shared = clip(surface, { ...part, ...at });
  if (shared === undefined || shared.width < sidePixelsMin || shared.height < sidePixelsMin) return [];
  return [{ ...shared, x: shared.x + surface.x, y: shared.y + surface.y }];
}
