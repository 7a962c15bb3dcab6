import type { Frame } from "./frame.ts";

const differingShareMax = 0.0002;
const boxWidthMax = 4;
const boxHeightMax = 40;

/** A blinking text cursor is not a change: at most 0.02 % of the pixels may differ, all within one box of 4 x 40. */
export function areSame(a: Frame, b: Frame): boolean {
  if (a.width !== b.width || a.height !== b.height) return false;
  const stride = a.width * 4;
  const differingMax = Math.floor(a.width * a.height * differingShareMax);
  let differing = 0;
  let left = Number.POSITIVE_INFINITY;
  let right = Number.NEGATIVE_INFINITY;
  let top = Number.POSITIVE_INFINITY;
  for (let y = 0; y < a.height; y += 1) {
    const start = y * stride;
    const end = start + stride;
    // Most rows are the same, which the native comparison finds many times faster.
    if (Buffer.compare(a.pixels.subarray(start, end), b.pixels.subarray(start, end)) === 0) continue;
    for (let at = start; at < end; at += 4) {
      if (
        a.pixels[at] === b.pixels[at] &&
        a.pixels[at + 1] === b.pixels[at + 1] &&
        a.pixels[at + 2] === b.pixels[at + 2]
      ) {
        continue;
      }
      const x = (at - start) / 4;
      differing += 1;
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      if (differing > differingMax || right - left >= boxWidthMax || y - top >= boxHeightMax) return false;
    }
  }
  return true;
}
