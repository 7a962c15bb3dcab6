import type { Picture, Point, Rectangle } from "./picture.ts";
import type { Template } from "./template.ts";

const tilePixels = 16;
/** Tiles overlap by half, so that a letter is never split among four of them. */
const blockPixels = tilePixels / 2;

export interface TileLimits {
  /** The largest difference of a tile's means of red, green or blue: dimmed, disabled, another theme. */
  readonly tileMeanMax: number;
  /** The number of a tile's pixels that may differ by more than `pixelMax`: another letter hardly changes a mean. */
  readonly tilePixelsMax: number;
  readonly pixelMax: number;
}

export interface WorstTile {
  readonly tile: Rectangle;
  /** A multiple of the allowed difference; at most 1 is the same. */
  readonly excess: number;
}

/** An 8 x 8 block has its compared pixels, its changed pixels, and the sums of the three colors' differences. */
const fields = 5;

export function worstTile(
  { piece, compared }: Template,
  screen: Picture,
  at: Point,
  limits: TileLimits,
): WorstTile {
  const columns = Math.ceil(piece.width / blockPixels);
  const rows = Math.ceil(piece.height / blockPixels);
  const blocks = new Int32Array(columns * rows * fields);
  for (let y = 0, pixel = 0; y < piece.height; y += 1) {
    let from = ((at.y + y) * screen.width + at.x) * 3;
    const rowStart = (y >> 3) * columns;
    for (let x = 0; x < piece.width; x += 1, pixel += 1, from += 3) {
      if (compared[pixel] === 0) continue;
      const red = (screen.data[from] ?? 0) - (piece.data[pixel * 3] ?? 0);
      const green = (screen.data[from + 1] ?? 0) - (piece.data[pixel * 3 + 1] ?? 0);
      const blue = (screen.data[from + 2] ?? 0) - (piece.data[pixel * 3 + 2] ?? 0);
      const most = Math.max(Math.abs(red), Math.abs(green), Math.abs(blue));
      const block = (rowStart + (x >> 3)) * fields;
      blocks[block] = (blocks[block] ?? 0) + 1;
      if (most > limits.pixelMax) blocks[block + 1] = (blocks[block + 1] ?? 0) + 1;
      blocks[block + 2] = (blocks[block + 2] ?? 0) + red;
      blocks[block + 3] = (blocks[block + 3] ?? 0) + green;
      blocks[block + 4] = (blocks[block + 4] ?? 0) + blue;
    }
  }
  let worst = { column: 0, row: 0, excess: 0 };
  for (let row = 0; row < Math.max(1, rows - 1); row += 1) {
    for (let column = 0; column < Math.max(1, columns - 1); column += 1) {
      const excess = excessOf(blocks, columns, rows, column, row, limits);
      if (excess > worst.excess) worst = { column, row, excess };
    }
  }
  const x = at.x + worst.column * blockPixels;
  const y = at.y + worst.row * blockPixels;
  return { tile: { x, y, width: tilePixels, height: tilePixels }, excess: worst.excess };
}

function excessOf(
  blocks: Int32Array,
  columns: number,
  rows: number,
  column: number,
  row: number,
  limits: TileLimits,
): number {
  const sums = [0, 0, 0, 0, 0];
  for (let y = row; y < Math.min(rows, row + 2); y += 1) {
    for (let x = column; x < Math.min(columns, column + 2); x += 1) {
      const block = (y * columns + x) * fields;
      for (let field = 0; field < fields; field += 1) {
        sums[field] = (sums[field] ?? 0) + (blocks[block + field] ?? 0);
      }
    }
  }
  const [pixels = 0, changed = 0, ...colors] = sums;
  const difference = Math.max(...colors.map(Math.abs)) / Math.max(pixels, blockPixels);
  return Math.max(difference / limits.tileMeanMax, changed / limits.tilePixelsMax);
}
