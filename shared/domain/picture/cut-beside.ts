import { guardSizeMin } from "./changes.ts";
import { anchorSizes, around, type CutOptions, cutSmallest, uniqueWithinPixels } from "./cut-anchor.ts";
import { type Anchor, findAnchor } from "./find-anchor.ts";
import { isKnownByInk } from "./is-known-by-ink.ts";
import { matchGuard } from "./match-guard.ts";
import { clip, crop, holds, moveInside, type Picture, type Point, type Rectangle } from "./picture.ts";
import { type Axis, surfaceAlong, trimToPane } from "./surface.ts";

const besidePixelsMax = 320;
const stepPixels = 32;
/** A search from this distance cannot find a piece of lines alone, which matches only at its exact place. */
const elsewhere = { dx: 32, dy: 32 };
const sidePixelsMin = 24;

/** A surface is followed this far beside and along the row or column: to the end of the largest piece. */
const reaches = {
  row: { half: 48, reach: besidePixelsMax + 128 },
  column: { half: 128, reach: besidePixelsMax + 48 },
} as const;

/** The nearest unique piece in the point's row, then column, is taken, on the surface that moves with the point. */
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
    // The largest pieces are mostly frames of other controls, and come last.
    for (const tried of [sizes.slice(0, -1), sizes.slice(-1)]) {
      for (const center of centers) {
        const anchor = cutSmallest(screen, center, { ...options, sizes: tried }, { partsOf, isFit });
        if (anchor !== null) return anchor;
      }
    }
  }
  return null;
}

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

/** A piece around a point needs this unmasked share to identify it. */
export const pointComparedMin = 0.25;

/** The piece may be flat, because it is compared in place. Returns undefined if masks leave too little of it. */
export function cutPointGuard(
  screen: Picture,
  point: Point,
  masks: readonly Rectangle[] = [],
): Anchor | undefined {
  const { x, y, ...size } = trimToPane(screen, moveInside(screen, around(point, guardSizeMin)), point);
  const guard = { x, y, piece: crop(screen, { x, y, ...size }) };
  const match = matchGuard(screen, guard, { masks, comparedShareMin: pointComparedMin });
  return match.kind === "matched" ? guard : undefined;
}
