import { guardSizeMin } from "./changes.ts";
import { around } from "./cut-anchor.ts";
import type { Anchor } from "./find-anchor.ts";
import { matchGuard } from "./match-guard.ts";
import { crop, moveInside, type Picture, type Point, type Rectangle } from "./picture.ts";
import { trimToPane } from "./trim-to-pane.ts";

/** A piece around a point needs this unmasked share to identify it. */
export const pointComparedMin = 0.25;

/** The piece may be flat, since it is compared in place. Undefined where masks leave too little of it. */
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
