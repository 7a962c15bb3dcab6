import type { Picture } from "../domain/picture/picture.ts";
import { writePng } from "./write-png.ts";

const up = 2;

/** Each row is its difference from the one above, which suits windows and text. */
export function encodePng({ width, height, data }: Picture): Uint8Array<ArrayBuffer> {
  const rowBytes = width * 3;
  const rows = new Uint8Array((1 + rowBytes) * height);
  for (let y = 0; y < height; y += 1) {
    const to = y * (1 + rowBytes);
    const from = y * rowBytes;
    rows[to] = up;
    for (let at = 0; at < rowBytes; at += 1) {
      const above = y === 0 ? 0 : (data[from + at - rowBytes] ?? 0);
      rows[to + 1 + at] = (data[from + at] ?? 0) - above;
    }
  }
  return writePng({ width, height }, rows, { level: 3 });
}
