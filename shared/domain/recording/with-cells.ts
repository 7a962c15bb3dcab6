import { decodeCells, hasCell } from "../picture/cells.ts";
import type { Picture } from "../picture/picture.ts";
import type { PictureCodec } from "../picture/picture-codec.ts";
import type { RecordedPiece, TrajectoryElement } from "../trajectory/trajectory-element.ts";

/**
 * The element gets this run's look of the cells that were left out, so that the next replay compares them again.
 *
 * @param leftOut in base64.
 * @param small the whole screen as a thumbnail.
 */
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
  const recorded = codec.decode(Buffer.from(piece.thumbnail, "base64"));
  const cells = decodeCells(leftOut);
  const data = recorded.data.map((value, at) =>
    hasCell(cells, Math.floor(at / 3)) ? (small.data[at] ?? value) : value,
  );
  return { ...piece, thumbnail: Buffer.from(codec.encode({ ...recorded, data })).toString("base64") };
}
