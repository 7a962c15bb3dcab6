import type { Picture, Shift } from "./picture.ts";

/** The picture moved; where nothing comes from, its edge is continued. */
export function shiftPicture(picture: Picture, { dx, dy }: Shift): Picture {
  if (dx === 0 && dy === 0) return picture;
  const { width, height } = picture;
  const data = new Uint8Array(picture.data.length);
  for (let y = 0; y < height; y += 1) {
    const row = within(y - dy, height) * width;
    for (let x = 0; x < width; x += 1) {
      const from = (row + within(x - dx, width)) * 3;
      data.set(picture.data.subarray(from, from + 3), (y * width + x) * 3);
    }
  }
  return { width, height, data };
}

function within(place: number, size: number): number {
  return Math.max(0, Math.min(size - 1, place));
}
