import type { Picture, Point, Rectangle } from "./picture.ts";

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

export function differ(
  { data, width }: Picture,
  x: number,
  y: number,
  otherX: number,
  otherY: number,
): boolean {
  const at = (y * width + x) * 3;
  const other = (otherY * width + otherX) * 3;
  return [0, 1, 2].some(
    (color) => Math.abs((data[at + color] ?? 0) - (data[other + color] ?? 0)) > edgeDifference,
  );
}
