import { type Action, isKeyboard, isPointing, pointOf } from "../action/action.ts";
import { decodeCells, hasCell } from "../picture/cells.ts";
import { changedParts, guardArea } from "../picture/changes.ts";
import { cutAnchor } from "../picture/cut-anchor.ts";
import { cutBeside, cutPointGuard } from "../picture/cut-beside.ts";
import { thumbnail } from "../picture/downscale.ts";
import type { Anchor } from "../picture/find-anchor.ts";
import { isLinesOnly } from "../picture/ink.ts";
import { crop, type Picture, type Rectangle, union } from "../picture/picture.ts";
import { inBase64, type PictureCodec, pictureOf } from "../picture/picture-codec.ts";
import type { RecordedPiece, TrajectoryElement } from "../trajectory/trajectory-element.ts";

export interface RecordedAction {
  readonly action: Action;
  readonly before: Picture;
  readonly small?: Picture | undefined;
  /** The part that the previous action changed, for typing. */
  readonly changed: Rectangle | undefined;
  readonly after?: Picture | undefined;
  /** These parts differ from run to run. */
  readonly masks?: readonly Rectangle[];
}

export const screenTimeoutMs = 10_000;

export function recordElement(codec: PictureCodec, recorded: RecordedAction): TrajectoryElement {
  const element = recordPieces(codec, recorded);
  const { action, before, after, masks = [] } = recorded;
  if (after === undefined || !(isPointing(action) || isKeyboard(action))) return element;
  const [first, ...others] = changedParts(before, after, masks);
  return first === undefined ? element : { ...element, changed: others.reduce(union, first) };
}

function recordPieces(
  codec: PictureCodec,
  { action, before, small: given = thumbnail(before), changed, masks = [] }: RecordedAction,
): TrajectoryElement {
  const element = { action, by: "replay", timeoutMs: screenTimeoutMs } as const;
  const small = inBase64(codec, given);
  if (isKeyboard(action) && changed !== undefined) {
    const area = guardArea(before, changed);
    const guard = recordPiece(codec, { ...area, piece: crop(before, area) });
    return { ...element, guard: { ...guard, thumbnail: small } };
  }
  if (!isPointing(action)) return element;
  const point = pointOf(action);
  if (point === undefined) return element;
  const around = cutAnchor(before, point, { masks });
  const own = around && { ...element, anchor: { ...recordPiece(codec, around), thumbnail: small } };
  if (own && !isLinesOnly(around.piece)) return own;
  const guard = cutPointGuard(before, point, masks);
  const beside = guard && cutBeside(before, point, { masks });
  if (!guard || !beside) return own ?? { ...element, by: "model" };
  return {
    ...element,
    anchor: { ...recordPiece(codec, beside), thumbnail: small },
    guard: recordPiece(codec, guard),
  };
}

export function recordPiece(codec: PictureCodec, { x, y, piece }: Anchor): RecordedPiece {
  return { x, y, width: piece.width, height: piece.height, png: inBase64(codec, piece) };
}

/** The next replay compares the cells that were left out again, with their content in this run. */
export function withCells(
  codec: PictureCodec,
  { anchor, guard, ...element }: TrajectoryElement,
  leftOut: string,
  small: Picture,
): TrajectoryElement {
  return {
    ...element,
    ...(anchor && { anchor: patched(codec, anchor, leftOut, small) }),
    ...(guard && { guard: patched(codec, guard, leftOut, small) }),
  };
}

function patched<Piece extends RecordedPiece>(
  codec: PictureCodec,
  piece: Piece,
  leftOut: string,
  small: Picture,
): Piece {
  if (piece.thumbnail === undefined) return piece;
  const recorded = pictureOf(codec, piece.thumbnail);
  const cells = decodeCells(leftOut);
  const data = recorded.data.map((value, at) =>
    hasCell(cells, Math.floor(at / 3)) ? (small.data[at] ?? value) : value,
  );
  return { ...piece, thumbnail: inBase64(codec, { ...recorded, data }) };
}
