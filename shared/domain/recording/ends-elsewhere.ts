import { matchThumbnail } from "../picture/match-thumbnail.ts";
import type { Picture } from "../picture/picture.ts";
import type { PictureCodec } from "../picture/picture-codec.ts";
import type { TrajectoryElement } from "../trajectory/trajectory-element.ts";

export function endsElsewhere(
  pictures: PictureCodec,
  first: TrajectoryElement | undefined,
  last: Picture | undefined,
): boolean {
  const small = (first?.anchor ?? first?.guard)?.thumbnail;
  if (small === undefined || last === undefined) return false;
  return !matchThumbnail(last, pictures.decode(Buffer.from(small, "base64"))).isSame;
}
