import { searchCoarsely } from "./coarse-search.ts";
import { greyOf } from "./grey-plane.ts";
import { clip, grown, holds, type Picture, type Rectangle } from "./picture.ts";
import { correlate, createTemplate, isFlat } from "./template.ts";

/** The same letters may have another color and background. */
const correlationMin = 0.85;
const offsets = [0, -1, 1, -2, 2];
const marginPixels = 8;

export function placesLike(screen: Picture, piece: Picture, part: Rectangle): readonly Rectangle[] {
  const { width, height } = piece;
  const area = clip(screen, grown(part, marginPixels));
  if (area === undefined || area.width < width || area.height < height) return [];
  const template = createTemplate(piece, { x: 0, y: 0 }, []);
  if (isFlat(template)) return [];
  const plane = greyOf(screen, area);
  const isLike = (at: Rectangle) => holds(area, at) && correlate(template, plane, at) >= correlationMin;
  return (searchCoarsely(template, plane) ?? [])
    .map(({ x, y }) => ({ x, y, width, height }))
    .filter((place) =>
      offsets.some((dy) => offsets.some((dx) => isLike({ ...place, x: place.x + dx, y: place.y + dy }))),
    );
}
