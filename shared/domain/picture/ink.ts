import { greyOf } from "./grey-plane.ts";
import { clip, type Picture, type Rectangle } from "./picture.ts";

const inkDifference = 48;
/** A piece higher than a line has a frame of at most this thickness. */
const lineHeight = 24;
const framePixels = 6;
/** A text's cursor is at its end. */
const caretPixels = 3;

/** The frame around a text and the cursor beside it are left out. */
export function inkWithin(screen: Picture, part: Rectangle): Rectangle | undefined {
  const frame = part.height > lineHeight ? framePixels : 0;
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

const inkOfLineDifference = 32;
const linePixels = 20;
/** Round corners leave some ink; one letter leaves more. */
const inkMin = 16;

/** Straight lines, such as a table's, stay the same whatever the table shows. */
export function isLinesOnly(piece: Picture): boolean {
  const { width, height } = piece;
  const { values } = greyOf(piece, { x: 0, y: 0, width, height });
  const ground = mostFrequent(values);
  const isInk = (at: number) => Math.abs((values[at] ?? ground) - ground) > inkOfLineDifference;
  const lines = new Uint8Array(width * height);
  for (let y = 0; y < height; y += 1) markLines(lines, isInk, { from: y * width, step: 1, count: width });
  for (let x = 0; x < width; x += 1) markLines(lines, isInk, { from: x, step: width, count: height });
  let ink = 0;
  for (let at = 0; at < lines.length; at += 1) if (isInk(at) && lines[at] === 0) ink += 1;
  return ink < inkMin;
}

interface Row {
  readonly from: number;
  readonly step: number;
  readonly count: number;
}

function markLines(lines: Uint8Array, isInk: (at: number) => boolean, { from, step, count }: Row): void {
  let begin = 0;
  for (let place = 0; place <= count; place += 1) {
    if (place < count && isInk(from + place * step)) continue;
    if (place - begin >= linePixels) {
      for (let each = begin; each < place; each += 1) lines[from + each * step] = 1;
    }
    begin = place + 1;
  }
}
