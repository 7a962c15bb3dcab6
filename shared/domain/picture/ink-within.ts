import { greyOf } from "./grey-plane.ts";
import { clip, type Picture, type Rectangle } from "./picture.ts";

/** A grey this far from the most frequent one is ink. */
const inkDifference = 48;
/** A piece higher than a line has a frame of at most this thickness. */
const linePixels = 24;
const framePixels = 6;
/** A text's cursor stands at its end. */
const caretPixels = 3;

/** The frame around a text and the cursor beside it are left out. */
export function inkWithin(screen: Picture, part: Rectangle): Rectangle | undefined {
  const frame = part.height > linePixels ? framePixels : 0;
  const side = frame + caretPixels;
  const width = part.width - 2 * side;
  const height = part.height - 2 * frame;
  const inner = clip(screen, { x: part.x + side, y: part.y + frame, width, height });
  if (width <= 0 || inner === undefined) return undefined;
  const { values } = greyOf(screen, inner);
  const background = mostFrequent(values);
  let [left, top, right, bottom] = [inner.width, inner.height, -1, -1];
  for (const [at, value] of values.entries()) {
    if (Math.abs(value - background) <= inkDifference) continue;
    const [x, y] = [at % inner.width, Math.floor(at / inner.width)];
    [left, right] = [Math.min(left, x), Math.max(right, x)];
    [top, bottom] = [Math.min(top, y), Math.max(bottom, y)];
  }
  if (right < 0) return undefined;
  return { x: inner.x + left, y: inner.y + top, width: right - left + 1, height: bottom - top + 1 };
}

export function mostFrequent(values: Uint8Array): number {
  const counts = new Uint32Array(256);
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts.indexOf(Math.max(...counts));
}
