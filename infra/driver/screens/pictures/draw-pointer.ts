import { type Frame, type PointerPicture, wordsOf } from "./frame.ts";

export function drawPointer(frame: Frame, pointer: PointerPicture): void {
  const words = wordsOf(frame);
  const left = Math.max(0, pointer.x);
  const right = Math.min(frame.width, pointer.x + pointer.width);
  const bottom = Math.min(frame.height, pointer.y + pointer.height);
  for (let y = Math.max(0, pointer.y); y < bottom; y += 1) {
    for (let x = left; x < right; x += 1) {
      const color = pointer.argb[(y - pointer.y) * pointer.width + x - pointer.x] ?? 0;
      const at = y * frame.width + x;
      words[at] = blend(color, words[at] ?? 0);
    }
  }
}

/** The upper color is already multiplied by its alpha. */
function blend(upper: number, lower: number): number {
  const share = 255 - (upper >>> 24);
  let mixed = 0;
  for (let shift = 0; shift < 24; shift += 8) {
    const through = Math.round((((lower >>> shift) & 0xff) * share) / 255);
    mixed |= Math.min(255, ((upper >>> shift) & 0xff) + through) << shift;
  }
  return mixed;
}
