import type { Picture, Shift } from "./picture.ts";

/** The edge is continued where nothing moves in. */
export function shiftPicture(picture: Picture, { dx, dy }: Shift): Picture {
  if (dx === 0 && dy === 0) return picture;
  const { width, height } = picture;
  const data = new Uint8Array(picture.data.length);
  const first = Math.max(0, Math.min(width, dx));
  const end = Math.max(0, Math.min(width, width + dx));
  for (let y = 0; y < height; y += 1) {
    const from = within(y - dy, height) * width * 3;
    const row = picture.data.subarray(from, from + width * 3);
    const moved = data.subarray(y * width * 3, (y + 1) * width * 3);
    if (first < end) moved.set(row.subarray((first - dx) * 3, (end - dx) * 3), first * 3);
    for (let x = 0; x < first; x += 1) moved.set(row.subarray(0, 3), x * 3);
    for (let x = end; x < width; x += 1) moved.set(row.subarray(-3), x * 3);
  }
  return { width, height, data };
}

function within(place: number, size: number): number {
  return Math.max(0, Math.min(size - 1, place));
}
