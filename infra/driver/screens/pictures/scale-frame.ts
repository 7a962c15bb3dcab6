import { type Frame, type SizeWanted, wordsOf } from "./frame.ts";

function sizeOf(frame: Frame, wanted: SizeWanted): { readonly width: number; readonly height: number } {
  const shape = frame.width / frame.height;
  const { width, height } = wanted;
  if (width !== undefined) return { width, height: height ?? Math.max(1, Math.round(width / shape)) };
  if (height !== undefined) return { width: Math.max(1, Math.round(height * shape)), height };
  return frame;
}

/**
 * A source pixel is as wide as the result has columns, and a result pixel as wide as the source has columns, so
 * that all areas are whole numbers; the same holds for heights.
 */
export function scaleFrame(frame: Frame, wanted: SizeWanted): Frame {
  const { width, height } = sizeOf(frame, wanted);
  if (width === frame.width && height === frame.height) return frame;
  const source = wordsOf(frame);
  const scaled = { width, height, pixels: new Uint8Array(width * height * 4) };
  const result = wordsOf(scaled);
  const row = new Float64Array(width * 3);
  const sums = new Float64Array(width * 3);
  const area = frame.width * frame.height;
  let y = 0;
  let missing = frame.height;
  for (let sourceY = 0; sourceY < frame.height; sourceY += 1) {
    sumRow(source, sourceY * frame.width, frame.width, width, row);
    for (let rest = height; rest > 0; ) {
      const covered = Math.min(rest, missing);
      for (let at = 0; at < sums.length; at += 1) sums[at] = (sums[at] ?? 0) + (row[at] ?? 0) * covered;
      rest -= covered;
      missing -= covered;
      if (missing > 0) continue;
      writeRow(sums, area, result, y * width, width);
      sums.fill(0);
      missing = frame.height;
      y += 1;
    }
  }
  return scaled;
}

function sumRow(
  source: Int32Array,
  start: number,
  sourceWidth: number,
  width: number,
  row: Float64Array,
): void {
  let at = 0;
  let missing = sourceWidth;
  let red = 0;
  let green = 0;
  let blue = 0;
  for (let x = 0; x < sourceWidth; x += 1) {
    const pixel = source[start + x] ?? 0;
    for (let rest = width; rest > 0; ) {
      const covered = Math.min(rest, missing);
      red += ((pixel >>> 16) & 0xff) * covered;
      green += ((pixel >>> 8) & 0xff) * covered;
      blue += (pixel & 0xff) * covered;
      rest -= covered;
      missing -= covered;
      if (missing > 0) continue;
      row[at] = red;
      row[at + 1] = green;
      row[at + 2] = blue;
      at += 3;
      red = 0;
      green = 0;
      blue = 0;
      missing = sourceWidth;
    }
  }
}

function writeRow(sums: Float64Array, area: number, result: Int32Array, start: number, width: number): void {
  for (let x = 0; x < width; x += 1) {
    const red = Math.round((sums[x * 3] ?? 0) / area);
    const green = Math.round((sums[x * 3 + 1] ?? 0) / area);
    const blue = Math.round((sums[x * 3 + 2] ?? 0) / area);
    result[start + x] = (red << 16) | (green << 8) | blue;
  }
}
