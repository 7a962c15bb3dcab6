import { UnreadablePicture } from "../domain/picture/picture-codec.ts";

export interface FilteredRow {
  /** 0 none, 1 left, 2 above, 3 average, 4 Paeth's. */
  readonly filter: number;
  readonly from: Uint8Array;
  readonly fromAt: number;
  /** May be `from`. The row above lies before `toAt`, without a gap or with one of `gap`. */
  readonly to: Uint8Array;
  readonly toAt: number;
  readonly gap: number;
  readonly bytes: number;
  /** From a byte to the one of the same sample in the pixel to the left. */
  readonly pixelBytes: number;
  readonly isFirst: boolean;
}

/**
 * Undoes a row's filter.
 *
 * Source: https://www.w3.org/TR/png-3/#9Filters
 *
 * @throws {UnreadablePicture} for a filter that there is not.
 */
export function unfilterRow(row: FilteredRow): void {
  const { filter, from, fromAt, to, toAt, bytes, isFirst } = row;
  if (filter === 0 || (filter === 2 && isFirst)) {
    if (from !== to) to.set(from.subarray(fromAt, fromAt + bytes), toAt);
  } else if (filter === 1 || (filter === 4 && isFirst)) addLeft(row);
  else if (filter === 2) addAbove(row);
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

function addAbove({ from, fromAt, to, toAt, bytes, gap }: FilteredRow): void {
  const above = toAt - gap - bytes;
  for (let at = 0; at < bytes; at += 1) {
    to[toAt + at] = (from[fromAt + at] ?? 0) + (to[above + at] ?? 0);
  }
}

function addAverage({ from, fromAt, to, toAt, bytes, gap, pixelBytes, isFirst }: FilteredRow): void {
  const above = toAt - gap - bytes;
  for (let at = 0; at < bytes; at += 1) {
    const left = at < pixelBytes ? 0 : (to[toAt + at - pixelBytes] ?? 0);
    const upper = isFirst ? 0 : (to[above + at] ?? 0);
    to[toAt + at] = (from[fromAt + at] ?? 0) + ((left + upper) >>> 1);
  }
}

function addPaeth({ from, fromAt, to, toAt, bytes, gap, pixelBytes }: FilteredRow): void {
  const above = toAt - gap - bytes;
  for (let at = 0; at < pixelBytes; at += 1) {
    to[toAt + at] = (from[fromAt + at] ?? 0) + (to[above + at] ?? 0);
  }
  for (let at = pixelBytes; at < bytes; at += 1) {
    const left = to[toAt + at - pixelBytes] ?? 0;
    const upper = to[above + at] ?? 0;
    const corner = to[above + at - pixelBytes] ?? 0;
    const toLeft = Math.abs(upper - corner);
    const toUpper = Math.abs(left - corner);
    const toCorner = Math.abs(left + upper - 2 * corner);
    const nearest = toLeft <= toUpper && toLeft <= toCorner ? left : toUpper <= toCorner ? upper : corner;
    to[toAt + at] = (from[fromAt + at] ?? 0) + nearest;
  }
}
