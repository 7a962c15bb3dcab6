import { greyOf } from "./grey-plane.ts";
import { mostFrequent } from "./ink-within.ts";
import type { Picture } from "./picture.ts";

/** A grey this far from the most frequent one is ink. */
const inkDifference = 32;
/** A letter's strokes are shorter than a line. */
const linePixels = 20;
/** Round corners leave some ink; one letter leaves more. */
const inkMin = 16;

/** Straight lines, such as a table's, stay the same whatever the table shows. */
export function isLinesOnly(piece: Picture): boolean {
  const { width, height } = piece;
  const { values } = greyOf(piece, { x: 0, y: 0, width, height });
  const ground = mostFrequent(values);
  const isInk = (at: number) => Math.abs((values[at] ?? ground) - ground) > inkDifference;
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
