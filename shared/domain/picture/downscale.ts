import type { Picture, Rectangle, Size } from "./picture.ts";

export const thumbnailSize: Size = { width: 64, height: 40 };

export function thumbnail(picture: Picture): Picture {
  return downscale(picture, thumbnailSize);
}

/** Each pixel is the mean of the source's pixels in its cell. A smaller picture repeats pixels. */
export function downscale(picture: Picture, { width, height }: Size): Picture {
  const data = new Uint8Array(width * height * 3);
  const columns = bordersOf(picture.width, width);
  const rows = bordersOf(picture.height, height);
  const sums = new Float64Array(width * 3);
  for (let y = 0; y < height; y += 1) {
    const [top = 0, bottom = 0] = rows[y] ?? [];
    sums.fill(0);
    for (let row = top; row < bottom; row += 1) addRow(picture, row, columns, sums);
    for (let x = 0; x < width; x += 1) {
      const [left = 0, right = 0] = columns[x] ?? [];
      const area = (right - left) * (bottom - top);
      for (let at = x * 3; at < x * 3 + 3; at += 1) {
        data[y * width * 3 + at] = Math.round((sums[at] ?? 0) / area);
      }
    }
  }
  return { width, height, data };
}

type Span = readonly [from: number, to: number];

function bordersOf(pixels: number, cells: number): readonly Span[] {
  return Array.from({ length: cells }, (_, cell) => {
    const from = Math.floor((cell * pixels) / cells);
    return [from, Math.max(from + 1, Math.floor(((cell + 1) * pixels) / cells))];
  });
}

function addRow({ data, width }: Picture, row: number, columns: readonly Span[], sums: Float64Array): void {
  for (const [cell, [left, right]] of columns.entries()) {
    let red = 0;
    let green = 0;
    let blue = 0;
    const end = (row * width + right) * 3;
    for (let at = (row * width + left) * 3; at < end; at += 3) {
      red += data[at] ?? 0;
      green += data[at + 1] ?? 0;
      blue += data[at + 2] ?? 0;
    }
    sums[cell * 3] = (sums[cell * 3] ?? 0) + red;
    sums[cell * 3 + 1] = (sums[cell * 3 + 1] ?? 0) + green;
    sums[cell * 3 + 2] = (sums[cell * 3 + 2] ?? 0) + blue;
  }
}

export function cellOf(picture: Size, x: number, y: number): Rectangle {
  const left = Math.floor((x * picture.width) / thumbnailSize.width);
  const top = Math.floor((y * picture.height) / thumbnailSize.height);
  const right = Math.floor(((x + 1) * picture.width) / thumbnailSize.width);
  const bottom = Math.floor(((y + 1) * picture.height) / thumbnailSize.height);
  return { x: left, y: top, width: Math.max(1, right - left), height: Math.max(1, bottom - top) };
}
