import { isKeyboard, isPointing, pointOf } from "../action/action.ts";
import { type Cells, decodeCells, inEither } from "../picture/cells.ts";
import { pointComparedMin } from "../picture/cut-beside.ts";
import { findAnchor } from "../picture/find-anchor.ts";
import { matchGuard } from "../picture/match-guard.ts";
import { cellsThatDiffer, matchThumbnail } from "../picture/match-thumbnail.ts";
import { isSameSize, type Picture, type Shift, type Size } from "../picture/picture.ts";
import { type PictureCodec, pictureOf } from "../picture/picture-codec.ts";
import type { Plan } from "../plan/plan.ts";
import type { StepMatch, StepTrail } from "../run-step/run-step.ts";
import type { RecordedGuard, RecordedPiece, TrajectoryElement } from "../trajectory/trajectory-element.ts";

export interface ElementMatch {
  readonly isFound: boolean;
  readonly movedBy: Shift;
  readonly score: number;
  readonly secondBest: number;
  readonly reason: string | null;
}

export interface MatchContext {
  readonly codec: PictureCodec;
  readonly trail: StepTrail;
  readonly recordedSize: Size | undefined;
  /** Text without a guard is typed at the last anchored element. */
  readonly lastAnchored: AnchoredPieces | undefined;
}

/** The piece around the point identifies the place, or one beside it with a guard at the point. */
type AnchoredPieces = Pick<TrajectoryElement, "guard"> & { readonly anchor: RecordedPiece };

function isAnchored(element: TrajectoryElement): element is TrajectoryElement & AnchoredPieces {
  return element.anchor !== undefined;
}

export function matchElement(
  screen: Picture,
  element: TrajectoryElement,
  context: MatchContext,
): ElementMatch | undefined {
  const { action, guard } = element;
  if (isPointing(action)) {
    if (pointOf(action) === undefined) return undefined;
    return matchAnchored(screen, isAnchored(element) ? element : undefined, context);
  }
  if (!isKeyboard(action)) return undefined;
  if (guard !== undefined) {
    return isSameSize(screen, context.recordedSize ?? screen)
      ? matchGuarded(screen, guard, context)
      : notFound(context, "wrong_size");
  }
  return matchAnchored(screen, context.lastAnchored, context);
}

/** A piece beside the point does not identify the point itself, which is compared as far as the anchor has moved. */
function matchAnchored(
  screen: Picture,
  anchored: AnchoredPieces | undefined,
  context: MatchContext,
): ElementMatch {
  if (anchored === undefined) return notFound(context, "nothing_recorded");
  const { anchor, guard } = anchored;
  const match = matchPiece(screen, anchor, context);
  if (!match.isFound || guard === undefined) return match;
  const { movedBy } = match;
  const point = matchGuarded(
    screen,
    guard,
    { ...context, trail: { ...context.trail, movedBy } },
    pointComparedMin,
  );
  return point.isFound ? match : { ...match, isFound: false, reason: "point_differs" };
}

export function matchPiece(
  screen: Picture,
  recorded: RecordedPiece,
  { codec, trail, recordedSize }: Omit<MatchContext, "lastAnchored">,
): ElementMatch {
  const { x, y } = recorded;
  const piece = pictureOf(codec, recorded.png);
  const found = findAnchor(
    screen,
    { x, y, piece },
    {
      masks: trail.masks,
      movedBy: trail.movedBy,
      ...(recordedSize !== undefined && { recordedSize }),
    },
  );
  const { score, secondBest } = found;
  if (found.kind === "not_found") {
    return { isFound: false, movedBy: trail.movedBy, score, secondBest, reason: found.reason };
  }
  const { movedBy } = found;
  const compared = { masks: trail.masks, movedBy, leftOut: leftOutOf(trail) };
  const isScreenSame =
    recorded.thumbnail === undefined ||
    matchThumbnail(screen, pictureOf(codec, recorded.thumbnail), compared).isSame;
  return { isFound: isScreenSame, movedBy, score, secondBest, reason: isScreenSame ? null : "other_screen" };
}

/** Pieces are nevertheless compared in these cells. */
function leftOutOf({ leftOut, repair }: StepTrail): Cells | undefined {
  const cells = [leftOut, repair?.cells].filter((each) => each !== undefined).map(decodeCells);
  return cells.length === 0 ? undefined : cells.reduce(inEither);
}

/** Cells that earlier repairs met are left out. Returns undefined without a thumbnail, or for another size. */
export function differingCells(
  screen: Picture,
  { anchor, guard }: TrajectoryElement,
  { codec, recordedSize, trail: { masks, movedBy, leftOut: left } }: MatchContext,
): Cells | undefined {
  const thumbnail = (anchor ?? guard)?.thumbnail;
  if (thumbnail === undefined || !isSameSize(screen, recordedSize ?? screen)) return undefined;
  const bounds = anchor === undefined ? cellBounds(guard) : undefined;
  const leftOut = left === undefined ? undefined : decodeCells(left);
  return cellsThatDiffer(screen, pictureOf(codec, thumbnail), { masks, movedBy, bounds, leftOut });
}

function cellBounds(guard: RecordedGuard | undefined): Uint8Array | undefined {
  return guard?.bounds === undefined ? undefined : Buffer.from(guard.bounds, "base64");
}

function matchGuarded(
  screen: Picture,
  guard: RecordedGuard,
  { codec, trail }: MatchContext,
  comparedShareMin = 0,
): ElementMatch {
  const { movedBy, masks } = trail;
  const match = matchGuard(
    screen,
    {
      x: guard.x,
      y: guard.y,
      piece: pictureOf(codec, guard.png),
      thumbnail: guard.thumbnail === undefined ? undefined : pictureOf(codec, guard.thumbnail),
      bounds: cellBounds(guard),
    },
    { movedBy, masks, comparedShareMin, leftOut: leftOutOf(trail) },
  );
  const isFound = match.kind === "matched";
  const reason = match.kind === "matched" ? null : match.reason;
  return { isFound, movedBy, score: match.score, secondBest: 0, reason };
}

function notFound({ trail: { movedBy } }: MatchContext, reason: string): ElementMatch {
  return { isFound: false, movedBy, score: 0, secondBest: 0, reason };
}

export function stepMatch({ movedBy, score, secondBest, reason }: ElementMatch, waitedMs: number): StepMatch {
  return { score, secondBest, movedBy, waitedMs, reason };
}

/** The parts of a replay under way that the comparison of screens needs. */
export interface Replay {
  readonly deps: { readonly pictures: PictureCodec };
  readonly plan: Pick<Plan, "trajectory">;
  readonly trail: StepTrail;
}

export function contextOf(
  { deps, plan }: Omit<Replay, "trail">,
  trail: StepTrail,
  at: number,
  elements = plan.trajectory.elements,
) {
  return {
    codec: deps.pictures,
    trail,
    recordedSize: pictureSizeOf(plan.trajectory.dimensions),
    lastAnchored: elements.slice(0, at).findLast(isAnchored),
  };
}

function pictureSizeOf(dimensions: Plan["trajectory"]["dimensions"]) {
  if (dimensions === null) return undefined;
  const { width, height, scale } = dimensions;
  return { width: Math.round(width * scale), height: Math.round(height * scale) };
}
