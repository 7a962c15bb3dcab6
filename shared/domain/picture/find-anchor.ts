import { apartPixels, areApart, searchCoarsely } from "./coarse-search.ts";
import { type GreyPlane, greyOf } from "./grey-plane.ts";
import {
  clip,
  grown,
  holds,
  isSameSize,
  type Picture,
  type Point,
  type Rectangle,
  type Shift,
  type Size,
  shifted,
} from "./picture.ts";
import { correlate, createTemplate, isFlat, type Template } from "./template.ts";
import { type TileLimits, worstTile } from "./tiles.ts";

export interface Anchor extends Point {
  readonly piece: Picture;
}

export interface MatchLimits extends TileLimits {
  readonly correlationMin: number;
  /** The second-best place must be less alike by this much, unless its tiles differ clearly. */
  readonly marginMin: number;
}

/** `npm run bench -- anchors` sets these limits. */
export const matchLimits: MatchLimits = {
  correlationMin: 0.97,
  marginMin: 0.02,
  tileMeanMax: 3,
  tilePixelsMax: 1,
  pixelMax: 32,
};

export interface FindOptions {
  readonly masks?: readonly Rectangle[];
  /** The search begins where the last anchor had moved. @default no shift */
  readonly movedBy?: Shift;
  readonly recordedSize?: Size;
  /** @default searchPixels */
  readonly radius?: number;
  /** @default matchLimits */
  readonly limits?: MatchLimits;
}

export const searchPixels = 64;

type NotFoundReason = "no_match" | "differs" | "ambiguous" | "too_flat" | "wrong_size";

export type AnchorMatch =
  | {
      readonly kind: "found";
      readonly x: number;
      readonly y: number;
      readonly movedBy: Shift;
      readonly score: number;
      readonly secondBest: number;
    }
  | {
      readonly kind: "not_found";
      readonly reason: NotFoundReason;
      readonly score: number;
      readonly secondBest: number;
      readonly tile?: Rectangle;
    };

const comparedShareMin = 0.25;

interface Place extends Point {
  readonly score: number;
  readonly excess: number;
  readonly tile: Rectangle;
}

/** The place is alike as a whole and in each tile, while no other nearby is. A best match alone does not suffice. */
export function findAnchor(screen: Picture, anchor: Anchor, options: FindOptions = {}): AnchorMatch {
  const { masks = [], movedBy = { dx: 0, dy: 0 }, radius = searchPixels, limits = matchLimits } = options;
  const { piece } = anchor;
  const expected = shifted({ x: anchor.x, y: anchor.y }, movedBy);
  const { width, height } = piece;
  const area = clip(screen, grown({ ...expected, width, height }, radius));
  if (
    !hasSize(screen, options.recordedSize) ||
    area === undefined ||
    !holds(area, { ...piece, x: area.x, y: area.y })
  ) {
    return { kind: "not_found", reason: "wrong_size", score: 0, secondBest: 0 };
  }
  const template = createTemplate(piece, anchor, masks);
  if (isFlat(template) || template.comparedPixels < comparedShareMin * template.grey.length) {
    return { kind: "not_found", reason: "too_flat", score: 0, secondBest: 0 };
  }
  const plane = greyOf(screen, area);
  const likely = searchCoarsely(template, plane);
  if (likely === undefined) return { kind: "not_found", reason: "too_flat", score: 0, secondBest: 0 };
  const isOnScreen = holds(screen, { ...piece, ...expected });
  const inPlace = isOnScreen ? [measure(template, screen, plane, expected, limits)] : [];
  const around = likely
    .map((place) => measure(template, screen, plane, climb(template, plane, place), limits))
    .toSorted((a, b) => b.score - a.score);
  const match = choose(anchor, [...inPlace, ...around], limits);
  if (match.kind === "not_found") return match;
  const beside = slides(match)
    .filter((at) => isOn(plane, piece, at))
    .map((at) => ({ ...at, score: correlate(template, plane, at) }))
    .filter(({ score }) => score > match.score - limits.marginMin);
  const isLoose = beside.some((at) => worstTile(template, screen, at, limits).excess <= clearExcess);
  if (!isLoose) return match;
  return { kind: "not_found", reason: "ambiguous", score: match.score, secondBest: match.score };
}

/** A piece that matches this near has lines of one direction only, so its place is unknown. */
function slides({ x, y }: Point): readonly Point[] {
  const steps = [-1, 0, 1];
  return [2, 4, 6].flatMap((far) =>
    steps
      .flatMap((dx) => steps.map((dy) => ({ x: x + dx * far, y: y + dy * far })))
      .filter((at) => at.x !== x || at.y !== y),
  );
}

function hasSize(screen: Size, recorded: Size | undefined): boolean {
  return recorded === undefined || isSameSize(screen, recorded);
}

function choose(anchor: Anchor, places: readonly Place[], limits: MatchLimits): AnchorMatch {
  const isSame = ({ score, excess }: Place) => score >= limits.correlationMin && excess <= 1;
  const best = places.toSorted((a, b) => b.score - a.score)[0];
  const chosen = places.find(isSame) ?? best;
  if (chosen === undefined) return { kind: "not_found", reason: "no_match", score: 0, secondBest: 0 };
  const { x, y, score, tile } = chosen;
  const others = places.filter((place) => areApart(place, chosen));
  const secondBest = others.reduce((most, other) => Math.max(most, other.score), 0);
  if (score < likeMin) return { kind: "not_found", reason: "no_match", score, secondBest };
  if (!isSame(chosen)) return { kind: "not_found", reason: "differs", score, secondBest, tile };
  const isAlike = (other: Place) => other.score > score - limits.marginMin && other.excess <= clearExcess;
  if (others.some(isAlike)) return { kind: "not_found", reason: "ambiguous", score, secondBest };
  return { kind: "found", x, y, movedBy: { dx: x - anchor.x, dy: y - anchor.y }, score, secondBest };
}

/** A place this alike is shown as likely, though not found: disabled, another letter, or under a pointer. */
const likeMin = 0.85;

/** A tile above this multiple of the allowed difference is another one, noise or not. */
const clearExcess = 2;

function measure(
  template: Template,
  screen: Picture,
  plane: GreyPlane,
  at: Point,
  limits: MatchLimits,
): Place {
  const score = correlate(template, plane, at);
  return { x: at.x, y: at.y, score, ...worstTile(template, screen, at, limits) };
}

/** Noise may have moved the best place by a pixel. */
function climb(template: Template, plane: GreyPlane, from: Point): Point {
  let best = { ...from, score: correlate(template, plane, from) };
  for (let step = 0; step < apartPixels / 2; step += 1) {
    const around = neighbours(best).filter((at) => isOn(plane, template.piece, at));
    const scored = around.map((at) => ({ ...at, score: correlate(template, plane, at) }));
    const next = scored.reduce((most, each) => (each.score > most.score ? each : most), best);
    if (next === best) break;
    best = next;
  }
  return best;
}

function neighbours({ x, y }: Point): readonly Point[] {
  return [
    { x: x - 1, y },
    { x: x + 1, y },
    { x, y: y - 1 },
    { x, y: y + 1 },
  ];
}

function isOn(plane: GreyPlane, piece: Size, { x, y }: Point): boolean {
  return holds(plane, { x, y, width: piece.width, height: piece.height });
}
