import { thumbnailSize } from "./downscale.ts";

/** One bit for each cell of a thumbnail, row by row. */
export type Cells = Uint8Array<ArrayBuffer>;

const { width, height } = thumbnailSize;
export const cellsInAll = width * height;

export function noCells(): Cells {
  return new Uint8Array(cellsInAll / 8);
}

export function hasCell(cells: Cells, cell: number): boolean {
  return (((cells[cell >> 3] ?? 0) >> (cell & 7)) & 1) === 1;
}

export function addCell(cells: Cells, cell: number): void {
  cells[cell >> 3] = (cells[cell >> 3] ?? 0) | (1 << (cell & 7));
}

export function inEither(one: Cells, other: Cells): Cells {
  return one.map((bits, at) => bits | (other[at] ?? 0));
}

export function inBoth(one: Cells, other: Cells): Cells {
  return one.map((bits, at) => bits & (other[at] ?? 0));
}

export function countCells(cells: Cells): number {
  return cellIndexes(cells).length;
}

/** Some cells are alike by chance, or show a task bar, even on a wholly different screen. */
const mostShare = 0.9;

export function hasMostCells(count: number): boolean {
  return count >= mostShare * cellsInAll;
}

export function encodeCells(cells: Cells): string {
  return Buffer.from(cells).toString("base64");
}

export function decodeCells(text: string): Cells {
  return new Uint8Array(Buffer.from(text, "base64"));
}

export interface CellsPart {
  readonly count: number;
  readonly filled: number;
  readonly cells: Cells;
}

export function largestPart(cells: Cells): CellsPart | undefined {
  const open = new Set(cellIndexes(cells));
  let largest: readonly number[] = [];
  for (const start of open) {
    open.delete(start);
    const reached = [start];
    for (const cell of reached) {
      for (const beside of besides(cell)) if (open.delete(beside)) reached.push(beside);
    }
    if (reached.length > largest.length) largest = reached;
  }
  if (largest.length === 0) return undefined;
  const part = noCells();
  for (const cell of largest) addCell(part, cell);
  const columns = largest.map((cell) => cell % width);
  const rows = largest.map((cell) => Math.floor(cell / width));
  const box = (extent(columns) + 1) * (extent(rows) + 1);
  return { count: largest.length, filled: largest.length / box, cells: part };
}

function extent(values: readonly number[]): number {
  return Math.max(...values) - Math.min(...values);
}

function besides(cell: number): readonly number[] {
  const column = cell % width;
  const beside = [...(column > 0 ? [cell - 1] : []), ...(column < width - 1 ? [cell + 1] : [])];
  return [...beside, cell - width, cell + width];
}

function cellIndexes(cells: Cells): readonly number[] {
  const found: number[] = [];
  for (let cell = 0; cell < cellsInAll; cell += 1) if (hasCell(cells, cell)) found.push(cell);
  return found;
}
