import {
  clip,
  isSameSize,
  moveInside,
  type Picture,
  type Point,
  type Rectangle,
  type Size,
  union,
} from "./picture.ts";

/** A smaller difference of a color is noise; a pointer changes a button by little more. */
const differenceMin = 8;
/** Changes with fewer unchanged pixels between them are one. */
const gapPixels = 16;

/** A sign of focus is not much larger than the field's frame and first letters. */
export const guardSizeMin: Size = { width: 96, height: 48 };
/** An opened window is recognized by its middle. */
export const guardSizeMax: Size = { width: 320, height: 160 };

const caretSize: Size = { width: 4, height: 40 };

export function isMoreThanCaret({ width, height }: Size): boolean {
  return width > caretSize.width || height > caretSize.height;
}

/** The largest part is first. @throws {RangeError} for pictures of two sizes. */
export function changedParts(
  before: Picture,
  after: Picture,
  masks: readonly Rectangle[] = [],
): readonly Rectangle[] {
  if (!isSameSize(before, after)) {
    throw new RangeError("pictures of two sizes have no parts that changed");
  }
  const columns = Math.ceil(before.width / gapPixels);
  const tiles = changedTiles(before, after, masks, columns);
  return joined(tiles, columns).toSorted((a, b) => b.width * b.height - a.width * a.height);
}

export interface ChangedRegionOptions {
  /** The part nearest to this point is taken. @default the largest */
  readonly near?: Point | undefined;
  readonly masks?: readonly Rectangle[];
}

/** The region fits the bounds of a guard, and is undefined if nothing changed. */
export function changedRegion(
  before: Picture,
  after: Picture,
  options: ChangedRegionOptions = {},
): Rectangle | undefined {
  const { near, masks } = options;
  const parts = changedParts(before, after, masks);
  const part =
    near === undefined ? parts[0] : parts.toSorted((a, b) => distance(a, near) - distance(b, near))[0];
  return part && guardArea(before, part);
}

export function guardArea(screen: Size, part: Rectangle): Rectangle {
  const width = Math.min(guardSizeMax.width, Math.max(guardSizeMin.width, part.width));
  const height = Math.min(guardSizeMax.height, Math.max(guardSizeMin.height, part.height));
  const x = Math.floor(part.x + part.width / 2 - width / 2);
  const y = Math.floor(part.y + part.height / 2 - height / 2);
  return moveInside(screen, { x, y, width, height });
}

/** Moving parts change in each picture without an action. Opening windows and blinking cursors do not count. */
export function movingParts(looks: readonly Picture[]): readonly Rectangle[] {
  const [first, ...others] = looks;
  if (first === undefined) return [];
  const columns = Math.ceil(first.width / gapPixels);
  let tiles: Tile[] | undefined;
  let before = first;
  for (const look of others) {
    const changed = changedTiles(before, look, [], columns);
    tiles = tiles?.map((known, at) => tileInBoth(known, changed[at])) ?? changed;
    before = look;
  }
  return joined(tiles ?? [], columns).filter(isMoreThanCaret);
}

/** The box of the changes within a tile; tiles are row by row. */
type Tile = Rectangle | undefined;

function tileInBoth(one: Tile, other: Tile): Tile {
  return one === undefined || other === undefined ? undefined : union(one, other);
}

function changedTiles(before: Picture, after: Picture, masks: readonly Rectangle[], columns: number): Tile[] {
  const tiles: Tile[] = new Array(columns * Math.ceil(before.height / gapPixels)).fill(undefined);
  const masked = maskOf(before, masks);
  const { width, height, data } = before;
  const [rows, rowsAfter] = [bytesOf(before), bytesOf(after)];
  for (let y = 0; y < height; y += 1) {
    const [from, to] = [y * width * 3, (y + 1) * width * 3];
    // Most rows are the same, and are compared at memory speed.
    if (rows.compare(rowsAfter, from, to, from, to) === 0) continue;
    for (let x = 0, at = from; x < width; x += 1, at += 3) {
      if (
        data[at] === after.data[at] &&
        data[at + 1] === after.data[at + 1] &&
        data[at + 2] === after.data[at + 2]
      ) {
        continue;
      }
      if (masked?.[y * width + x] === 1 || !differs(data, after.data, at)) continue;
      const tile = Math.floor(y / gapPixels) * columns + Math.floor(x / gapPixels);
      const box = { x, y, width: 1, height: 1 };
      const known = tiles[tile];
      tiles[tile] = known === undefined ? box : union(known, box);
    }
  }
  return tiles;
}

function bytesOf({ data }: Picture): Buffer {
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength);
}

export function differs(a: Uint8Array, b: Uint8Array, at: number): boolean {
  for (let color = at; color < at + 3; color += 1) {
    if (Math.abs((a[color] ?? 0) - (b[color] ?? 0)) > differenceMin) return true;
  }
  return false;
}

function maskOf(picture: Picture, masks: readonly Rectangle[]): Uint8Array | undefined {
  if (masks.length === 0) return undefined;
  const masked = new Uint8Array(picture.width * picture.height);
  for (const mask of masks) {
    const part = clip(picture, mask);
    if (part === undefined) continue;
    for (let y = part.y; y < part.y + part.height; y += 1) {
      masked.fill(1, y * picture.width + part.x, y * picture.width + part.x + part.width);
    }
  }
  return masked;
}

function joined(tiles: readonly Tile[], columns: number): readonly Rectangle[] {
  const open = new Set<number>();
  for (const [index, tile] of tiles.entries()) if (tile !== undefined) open.add(index);
  const parts: Rectangle[] = [];
  for (const start of open) {
    open.delete(start);
    const reached = [start];
    for (const index of reached) {
      for (const beside of besides(index, columns)) if (open.delete(beside)) reached.push(beside);
    }
    const boxes = reached.flatMap((index) => tiles[index] ?? []);
    parts.push(boxes.reduce(union));
  }
  return parts;
}

function besides(index: number, columns: number): readonly number[] {
  const column = index % columns;
  const offsets = [-1, 0, 1].filter((offset) => column + offset >= 0 && column + offset < columns);
  return [-columns, 0, columns].flatMap((row) => offsets.map((offset) => index + row + offset));
}

export function distance(part: Rectangle, point: Point): number {
  const x = Math.max(part.x - point.x, 0, point.x - (part.x + part.width));
  const y = Math.max(part.y - point.y, 0, point.y - (part.y + part.height));
  return Math.hypot(x, y);
}
