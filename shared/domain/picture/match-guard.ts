import type { Cells } from "./cells.ts";
import { type Anchor, type MatchLimits, matchLimits } from "./find-anchor.ts";
import { greyOf } from "./grey-plane.ts";
import { matchThumbnail } from "./match-thumbnail.ts";
import { holds, type Picture, type Rectangle, type Shift, shifted } from "./picture.ts";
import { correlate, createTemplate, isFlat } from "./template.ts";
import { worstTile } from "./tiles.ts";

/** The condition for typing: a piece in its place, and roughly the whole screen. */
export interface Guard extends Anchor {
  readonly thumbnail?: Picture | undefined;
  readonly bounds?: Uint8Array | undefined;
}

export interface GuardOptions {
  readonly movedBy?: Shift;
  readonly masks?: readonly Rectangle[];
  readonly leftOut?: Cells | undefined;
  /** A share of the piece that the masks must leave. @default 0 */
  readonly comparedShareMin?: number;
  /** @default matchLimits */
  readonly limits?: MatchLimits;
}

export type GuardMatch =
  | { readonly kind: "matched"; readonly score: number }
  | {
      readonly kind: "not_matched";
      readonly reason: "no_match" | "differs" | "too_flat" | "other_screen" | "wrong_size";
      readonly score: number;
      readonly tile?: Rectangle;
    };

/** Nothing is searched, so a piece may be flat, unlike an anchor. */
export function matchGuard(screen: Picture, guard: Guard, options: GuardOptions = {}): GuardMatch {
  const { movedBy = { dx: 0, dy: 0 }, masks = [], limits = matchLimits, leftOut } = options;
  const { width, height } = guard.piece;
  const place = shifted({ x: guard.x, y: guard.y, width, height }, movedBy);
  if (!holds(screen, place)) return { kind: "not_matched", reason: "wrong_size", score: 0 };
  const template = createTemplate(guard.piece, guard, masks);
  if (template.comparedPixels < (options.comparedShareMin ?? 0) * width * height) {
    return { kind: "not_matched", reason: "too_flat", score: 0 };
  }
  const { tile, excess } = worstTile(template, screen, place, limits);
  // An empty field's middle has nothing to correlate, so only its tiles are compared.
  const score = isFlat(template) ? (excess <= 1 ? 1 : 0) : correlate(template, greyOf(screen, place), place);
  if (score < limits.correlationMin) return { kind: "not_matched", reason: "no_match", score };
  if (excess > 1) return { kind: "not_matched", reason: "differs", score, tile };
  const { thumbnail, bounds } = guard;
  const isScreenSame =
    thumbnail === undefined || matchThumbnail(screen, thumbnail, { bounds, masks, movedBy, leftOut }).isSame;
  return isScreenSame ? { kind: "matched", score } : { kind: "not_matched", reason: "other_screen", score };
}
