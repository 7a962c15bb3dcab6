import type { Picture, Point, Rectangle } from "./picture.ts";

interface Span {
  readonly from: number;
  readonly to: number;
}

export type Axis = "row" | "column";

/** Two lines nearer than this on both sides of the point enclose a control. */
const controlPixels = 24;
/** A frame's width, with the shine around it. */
const framePixels = 6;
/** A line crosses this much on both sides of the point, as far as there is more. Letters cross less. */
const strokePixels = 16;
const strokePixelsMin = 4;

/**
 * A surface ends at a line that crosses all of it, other than the frame of the point's own control.
 * @param half is the part's extent to both sides of the row or column. @param reach is its extent along it.
 */
export function surfaceAlong(
  screen: Picture,
  point: Point,
  axis: Axis,
  { half, reach }: { readonly half: number; readonly reach: number },
): Rectangle {
  const other = axis === "row" ? "column" : "row";
  const least = within(sizeOf(screen, other), placeOf(point, other), strokePixelsMin);
  const stroke = surface(screen, point, axis, { across: least, reach: strokePixels });
  const across = surface(screen, point, other, { across: stroke, reach: half });
  const along = surface(screen, point, axis, { across, reach });
  const [columns, rows] = axis === "row" ? [along, across] : [across, along];
  return { x: columns.from, y: rows.from, width: columns.to - columns.from, height: rows.to - rows.from };
}

interface Searched {
  readonly across: Span;
  readonly reach: number;
}

function surface(screen: Picture, point: Point, axis: Axis, { across, reach }: Searched): Span {
  const place = placeOf(point, axis);
  const whole = within(sizeOf(screen, axis), place, reach);
  const isLine = (at: number) => isEdge(screen, axis, at, across);
  const upTo = (start: Span): Span => ({
    from: lineBefore(isLine, start.from, whole.from),
    to: lineAfter(isLine, start.to, whole.to),
  });
  const nearest = upTo({ from: place, to: place + 1 });
  const behind = { from: nearest.from - framePixels, to: nearest.to + framePixels };
  const isControl =
    place - nearest.from <= controlPixels &&
    nearest.to - place <= controlPixels &&
    behind.from > whole.from &&
    behind.to < whole.to &&
    isAlike(screen, pointAt(point, axis, behind.from), pointAt(point, axis, behind.to));
  return isControl ? upTo(behind) : nearest;
}

function lineBefore(isLine: (at: number) => boolean, start: number, end: number): number {
  for (let at = start; at > end; at -= 1) if (isLine(at)) return at;
  return end;
}

function lineAfter(isLine: (at: number) => boolean, start: number, end: number): number {
  for (let at = start; at < end; at += 1) if (isLine(at)) return at;
  return end;
}

function isEdge(screen: Picture, axis: Axis, at: number, { from, to }: Span): boolean {
  for (let other = from; other < to; other += 1) {
    const isSame =
      axis === "row" ? !differ(screen, at - 1, other, at, other) : !differ(screen, other, at - 1, other, at);
    if (isSame) return false;
  }
  return true;
}

function isAlike(screen: Picture, one: Point, other: Point): boolean {
  return !differ(screen, one.x, one.y, other.x, other.y);
}

function within(size: number, place: number, reach: number): Span {
  return { from: Math.max(0, place - reach), to: Math.min(size, place + reach) };
}

function sizeOf({ width, height }: Picture, axis: Axis): number {
  return axis === "row" ? width : height;
}

function placeOf({ x, y }: Point, axis: Axis): number {
  return axis === "row" ? x : y;
}

function pointAt(point: Point, axis: Axis, at: number): Point {
  return axis === "row" ? { ...point, x: at } : { ...point, y: at };
}

/** A nearer edge belongs to the control itself. */
const distanceMin = 24;
const edgeDifference = 8;

/** Content behind a window's border stays when the window moves. */
export function trimToPane(screen: Picture, part: Rectangle, { x, y }: Point): Rectangle {
  const rows = range(part.y, part.y + part.height);
  const columns = range(part.x, part.x + part.width);
  const isEdgeAtColumn = (column: number) =>
    rows.every((row) => differ(screen, column - 1, row, column, row));
  const isEdgeAtRow = (row: number) =>
    columns.every((column) => differ(screen, column, row - 1, column, row));
  const left = range(part.x + 1, x - distanceMin).findLast(isEdgeAtColumn) ?? part.x;
  const right = range(x + distanceMin, part.x + part.width).find(isEdgeAtColumn) ?? part.x + part.width;
  const top = range(part.y + 1, y - distanceMin).findLast(isEdgeAtRow) ?? part.y;
  const bottom = range(y + distanceMin, part.y + part.height).find(isEdgeAtRow) ?? part.y + part.height;
  return { x: left, y: top, width: right - left, height: bottom - top };
}

function range(from: number, to: number): readonly number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at);
}

function differ({ data, width }: Picture, x: number, y: number, otherX: number, otherY: number): boolean {
  const at = (y * width + x) * 3;
  const other = (otherY * width + otherX) * 3;
  return [0, 1, 2].some(
    (color) => Math.abs((data[at + color] ?? 0) - (data[other + color] ?? 0)) > edgeDifference,
  );
}
