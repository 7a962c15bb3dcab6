import { type GreyPlane, greyOf } from "./grey-plane.ts";
import { clip, type Picture, type Point, type Rectangle, shifted } from "./picture.ts";

export interface Template {
  readonly piece: Picture;
  readonly grey: Uint8Array;
  /** Each pixel has 1, or 0 under a mask. */
  readonly compared: Uint8Array;
  readonly comparedPixels: number;
  readonly mean: number;
  readonly deviation: number;
}

/** @param at is the piece's place on the recorded screen. */
export function createTemplate(piece: Picture, at: Point, masks: readonly Rectangle[]): Template {
  const { width, height } = piece;
  const compared = new Uint8Array(width * height).fill(1);
  for (const mask of masks) {
    const part = clip(piece, shifted(mask, { dx: -at.x, dy: -at.y }));
    if (part === undefined) continue;
    for (let y = part.y; y < part.y + part.height; y += 1) {
      compared.fill(0, y * width + part.x, y * width + part.x + part.width);
    }
  }
  const grey = greyOf(piece, { x: 0, y: 0, width, height }).values;
  let pixels = 0;
  let sum = 0;
  let squares = 0;
  for (let pixel = 0; pixel < grey.length; pixel += 1) {
    if (compared[pixel] === 0) continue;
    const value = grey[pixel] ?? 0;
    pixels += 1;
    sum += value;
    squares += value * value;
  }
  const mean = pixels === 0 ? 0 : sum / pixels;
  const deviation = pixels === 0 ? 0 : Math.sqrt(Math.max(0, squares / pixels - mean * mean));
  return { piece, grey, compared, comparedPixels: pixels, mean, deviation };
}

/** A piece with less structure looks like any other, in grey levels. */
const deviationMin = 4;

export function isFlat({ deviation }: Template): boolean {
  return deviation < deviationMin;
}

/** A loading page looks like this. */
export function isFlatPicture(picture: Picture): boolean {
  return isFlat(createTemplate(picture, { x: 0, y: 0 }, []));
}

/** Returns the grey's normalized correlation, -1 to 1; 0 where the screen is flat. The piece must be on the plane. */
export function correlate(template: Template, plane: GreyPlane, at: Point): number {
  const { grey, compared, comparedPixels, mean, deviation, piece } = template;
  let sum = 0;
  let squares = 0;
  let products = 0;
  let pixel = 0;
  for (let row = 0; row < piece.height; row += 1) {
    let from = (at.y - plane.y + row) * plane.width + at.x - plane.x;
    for (const end = from + piece.width; from < end; from += 1, pixel += 1) {
      if (compared[pixel] === 0) continue;
      const value = plane.values[from] ?? 0;
      sum += value;
      squares += value * value;
      products += value * (grey[pixel] ?? 0);
    }
  }
  const variance = squares - (sum * sum) / comparedPixels;
  const scale = Math.sqrt(Math.max(0, variance) * comparedPixels) * deviation;
  return scale < 1 ? 0 : Math.min(1, (products - sum * mean) / scale);
}
