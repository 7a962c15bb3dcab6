import { addCell, type Cells, countCells, hasCell, noCells } from "./cells.ts";
import { cellOf, thumbnail, thumbnailSize } from "./downscale.ts";
import { clip, overlap, type Picture, type Rectangle, type Shift, shifted } from "./picture.ts";

export interface ThumbnailOptions {
  /** Each cell's largest difference of a color, row by row. @default cellDifferenceMax */
  readonly bounds?: Uint8Array | undefined;
  readonly masks?: readonly Rectangle[];
  /** Cells of a moved window may look like any recorded one in reach. */
  readonly movedBy?: Shift;
  readonly leftOut?: Cells | undefined;
}

export interface ThumbnailMatch {
  readonly isSame: boolean;
  readonly differingCells: number;
}

/** One line of text more or less in a cell does not make another screen. */
const cellDifferenceMax = 24;
/** A dialog of 200 x 100 covers 22 cells of a display of 1920 x 1080. */
const differingCellsMax = 16;

export function matchThumbnail(
  screen: Picture,
  recorded: Picture,
  options: ThumbnailOptions = {},
): ThumbnailMatch {
  const differing = cellsThatDiffer(screen, recorded, options);
  return { isSame: isSameThumbnail(differing), differingCells: countCells(differing) };
}

export function isSameThumbnail(differing: Cells): boolean {
  return countCells(differing) <= differingCellsMax;
}

export function cellsThatDiffer(screen: Picture, recorded: Picture, options: ThumbnailOptions = {}): Cells {
  const { bounds, masks = [], movedBy = { dx: 0, dy: 0 }, leftOut } = options;
  const now = thumbnail(screen);
  const reachX = Math.ceil(Math.abs(movedBy.dx * thumbnailSize.width) / screen.width);
  const reachY = Math.ceil(Math.abs(movedBy.dy * thumbnailSize.height) / screen.height);
  const masked = [...masks, ...masks.map((mask) => shifted(mask, movedBy))];
  const differing = noCells();
  for (let y = 0; y < thumbnailSize.height; y += 1) {
    for (let x = 0; x < thumbnailSize.width; x += 1) {
      const cell = y * thumbnailSize.width + x;
      const bound = bounds?.[cell] ?? cellDifferenceMax;
      const reach = { x: x - reachX, y: y - reachY, width: 2 * reachX + 1, height: 2 * reachY + 1 };
      if (isWithinBound(now, recorded, x, y, clip(recorded, reach) ?? reach, bound)) continue;
      if (leftOut !== undefined && hasCell(leftOut, cell)) continue;
      if (masked.some((mask) => overlap(mask, cellOf(screen, x, y)))) continue;
      addCell(differing, cell);
    }
  }
  return differing;
}

function isWithinBound(
  now: Picture,
  recorded: Picture,
  x: number,
  y: number,
  reach: Rectangle,
  bound: number,
): boolean {
  for (let color = 0; color < 3; color += 1) {
    let least = 255;
    let most = 0;
    for (let row = reach.y; row < reach.y + reach.height; row += 1) {
      for (let column = reach.x; column < reach.x + reach.width; column += 1) {
        const value = recorded.data[(row * recorded.width + column) * 3 + color] ?? 0;
        least = Math.min(least, value);
        most = Math.max(most, value);
      }
    }
    const value = now.data[(y * now.width + x) * 3 + color] ?? 0;
    if (value < least - bound || value > most + bound) return false;
  }
  return true;
}
