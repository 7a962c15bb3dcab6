import { clip, type Picture, type Point, type Rectangle, type Shift } from "./picture.ts";

const paint = 0x80;

export function paintOver(picture: Picture, parts: readonly Rectangle[]): Picture {
  const data = picture.data.slice();
  for (const each of parts) {
    const part = clip(picture, each);
    if (part === undefined) continue;
    for (let y = part.y; y < part.y + part.height; y += 1) {
      const start = (y * picture.width + part.x) * 3;
      data.fill(paint, start, start + part.width * 3);
    }
  }
  return { ...picture, data };
}

const radius = 20;
const thickness = 3;
/** Hardly any program uses this color. */
const ringColor = [255, 0, 160] as const;

export function markPoint(picture: Picture, { x, y }: Point): Picture {
  const data = picture.data.slice();
  const reach = radius + thickness;
  for (let row = Math.max(0, y - reach); row <= Math.min(picture.height - 1, y + reach); row += 1) {
    for (let column = Math.max(0, x - reach); column <= Math.min(picture.width - 1, x + reach); column += 1) {
      const distance = Math.hypot(column - x, row - y);
      if (distance >= radius && distance < reach) data.set(ringColor, (row * picture.width + column) * 3);
    }
  }
  return { ...picture, data };
}

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
