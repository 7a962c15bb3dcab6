import { greyOf } from "./grey-plane.ts";
import { clip, type Picture, type Point, type Rectangle } from "./picture.ts";

/** Half a line's height, and the space between two words. */
const linePixels = 8;
const wordGapPixels = 6;
const inkDifference = 24;

/** Two rows of a list may differ in the ends of their names alone. */
export function cutsText(screen: Picture, part: Rectangle, point: Point): boolean {
  return [part.x, part.x + part.width].some((border) => {
    if (border === 0 || border === screen.width) return false;
    const strip = clip(screen, {
      x: border - wordGapPixels,
      y: point.y - linePixels,
      width: 2 * wordGapPixels,
      height: 2 * linePixels,
    });
    if (strip === undefined) return false;
    const { values, width } = greyOf(screen, strip);
    return values.some(
      (value, at) => at % width > 0 && Math.abs(value - (values[at - 1] ?? 0)) > inkDifference,
    );
  });
}
