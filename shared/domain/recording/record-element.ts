import { type Action, isKeyboard, isPointing, pointOf } from "../action/action.ts";
import { changedParts, guardArea } from "../picture/changes.ts";
import { cutAnchor } from "../picture/cut-anchor.ts";
import { cutBeside } from "../picture/cut-beside.ts";
import { cutPointGuard } from "../picture/cut-point-guard.ts";
import { thumbnail } from "../picture/downscale.ts";
import type { Anchor } from "../picture/find-anchor.ts";
import { isLinesOnly } from "../picture/lines-only.ts";
import { crop, type Picture, type Rectangle, union } from "../picture/picture.ts";
import type { PictureCodec } from "../picture/picture-codec.ts";
import type { RecordedPiece, TrajectoryElement } from "../trajectory/trajectory-element.ts";

export interface RecordedAction {
  readonly action: Action;
  readonly before: Picture;
  readonly small?: Picture | undefined;
  /** The part that the previous action changed, for typing. */
  readonly changed: Rectangle | undefined;
  readonly after?: Picture | undefined;
  /** Parts that differ from run to run. */
  readonly masks?: readonly Rectangle[];
}

export const screenTimeoutMs = 10_000;

/** A model decides the element where no piece is unique. */
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

export function inBase64(codec: PictureCodec, picture: Picture): string {
  return Buffer.from(codec.encode(picture)).toString("base64");
}
