import { UnreadablePicture } from "../domain/picture/picture-codec.ts";

export interface FilteredRow {
  /** The filter is 0 none, 1 left, 2 above, 3 average or 4 Paeth's. */
  readonly filter: number;
  readonly from: Uint8Array;
  readonly fromAt: number;
  /** This may be `from`, at the same place or before it, because a byte is read before one is written there. */
  readonly to: Uint8Array;
  readonly toAt: number;
  /** The row above, unfiltered, or zeros for the first one. */
  readonly above: Uint8Array;
  readonly aboveAt: number;
  readonly bytes: number;
  /** The distance to the byte of the same sample in the pixel to the left. */
  readonly pixelBytes: number;
}

/** Source: https://www.w3.org/TR/png-3/#9Filters @throws {UnreadablePicture} for an unknown filter */
export function unfilterRow(row: FilteredRow): void {
  const { filter, from, fromAt, to, toAt, bytes } = row;
  if (filter === 0) {
    if (from !== to || fromAt !== toAt) to.set(from.subarray(fromAt, fromAt + bytes), toAt);
  } else if (filter === 1) addLeft(row);
  else if (filter === 2) addAbove(row, bytes);
  else if (filter === 3) addAverage(row);
  else if (filter === 4) addPaeth(row);
  else throw new UnreadablePicture(`the PNG has a filter of type ${filter}`);
}

function addLeft({ from, fromAt, to, toAt, bytes, pixelBytes }: FilteredRow): void {
  for (let at = 0; at < pixelBytes; at += 1) to[toAt + at] = from[fromAt + at] ?? 0;
  for (let at = pixelBytes; at < bytes; at += 1) {
    to[toAt + at] = (from[fromAt + at] ?? 0) + (to[toAt + at - pixelBytes] ?? 0);
  }
}

function addAbove({ from, fromAt, to, toAt, above, aboveAt }: FilteredRow, bytes: number): void {
  for (let at = 0; at < bytes; at += 1) {
    to[toAt + at] = (from[fromAt + at] ?? 0) + (above[aboveAt + at] ?? 0);
  }
}

function addAverage({ from, fromAt, to, toAt, above, aboveAt, bytes, pixelBytes }: FilteredRow): void {
  for (let at = 0; at < pixelBytes; at += 1) {
    to[toAt + at] = (from[fromAt + at] ?? 0) + ((above[aboveAt + at] ?? 0) >>> 1);
  }
  for (let at = pixelBytes; at < bytes; at += 1) {
    const sum = (to[toAt + at - pixelBytes] ?? 0) + (above[aboveAt + at] ?? 0);
    to[toAt + at] = (from[fromAt + at] ?? 0) + (sum >>> 1);
  }
}

function addPaeth(row: FilteredRow): void {
  const { from, fromAt, to, toAt, above, aboveAt, bytes, pixelBytes } = row;
  // With nothing to the left, the byte above is always the nearest.
  addAbove(row, pixelBytes);
  for (let at = pixelBytes; at < bytes; at += 1) {
    const left = to[toAt + at - pixelBytes] ?? 0;
    const upper = above[aboveAt + at] ?? 0;
    const corner = above[aboveAt + at - pixelBytes] ?? 0;
    const toLeft = Math.abs(upper - corner);
    const toUpper = Math.abs(left - corner);
    const toCorner = Math.abs(left + upper - 2 * corner);
    const nearest = toLeft <= toUpper && toLeft <= toCorner ? left : toUpper <= toCorner ? upper : corner;
    to[toAt + at] = (from[fromAt + at] ?? 0) + nearest;
  }
}
