import type { GreyPlane } from "./grey-plane.ts";
import type { Point } from "./picture.ts";
import type { Template } from "./template.ts";

/** The pixels are represented by sums of squares, laid out from the piece's corner. */
interface CoarseTemplate {
  readonly side: number;
  readonly columns: readonly number[];
  readonly rows: readonly number[];
  /** The sums are without their mean; masked squares are left out. */
  readonly values: Float64Array;
  readonly norm: number;
}

/** A piece is compared by this many squares at each of some 17,000 places. */
const squaresMin = 64;
const sides = [16, 8, 4, 2] as const;
/** A pattern finer than the squares leaves less than this deviation in them, in grey levels. */
const deviationMin = 3;
/** A place's score may be this far below the best one's; the second-best is always included, to be shown. */
const marginMax = 0.15;
const placesMax = 16;

/** Places closer than this count as one, in x and in y. */
export const apartPixels = 8;

export function areApart(a: Point, b: Point): boolean {
  return Math.max(Math.abs(a.x - b.x), Math.abs(a.y - b.y)) >= apartPixels;
}

/** Returns likeliest places first. Squares start at every pixel, so that a shift by less than a square is found. */
export function searchCoarsely(template: Template, plane: GreyPlane): readonly Point[] | undefined {
  const coarse = createCoarse(template);
  if (coarse === undefined) return undefined;
  const scores = scorePlaces(coarse, template, plane);
  const width = plane.width - template.piece.width + 1;
  const height = plane.height - template.piece.height + 1;
  const places: Point[] = [];
  let scoreMin = 0;
  while (places.length < placesMax) {
    const best = indexOfMaximum(scores);
    const score = scores[best] ?? 0;
    if (score <= 0 || (places.length >= 2 && score < scoreMin)) break;
    if (places.length === 0) scoreMin = score - marginMax;
    const x = best % width;
    const y = Math.floor(best / width);
    places.push({ x: plane.x + x, y: plane.y + y });
    const left = Math.max(0, x - apartPixels + 1);
    const right = Math.min(width, x + apartPixels);
    for (let row = Math.max(0, y - apartPixels + 1); row < Math.min(height, y + apartPixels); row += 1) {
      scores.fill(0, row * width + left, row * width + right);
    }
  }
  return places;
}

function indexOfMaximum(values: Float32Array): number {
  let index = 0;
  let maximum = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < values.length; at += 1) {
    const value = values[at] ?? 0;
    if (value <= maximum) continue;
    maximum = value;
    index = at;
  }
  return index;
}

function createCoarse(template: Template): CoarseTemplate | undefined {
  for (const side of sides) {
    const coarse = coarseOf(template, side);
    const squares = coarse.values.length;
    if (squares < squaresMin && side > 2) continue;
    if (squares > 0 && coarse.norm / Math.sqrt(squares) >= deviationMin * side * side) return coarse;
  }
  return undefined;
}

function coarseOf({ piece, grey, compared }: Template, side: number): CoarseTemplate {
  const columns: number[] = [];
  const rows: number[] = [];
  const sums: number[] = [];
  for (let y = 0; y + side <= piece.height; y += side) {
    for (let x = 0; x + side <= piece.width; x += side) {
      let pixels = 0;
      let sum = 0;
      for (let row = y; row < y + side; row += 1) {
        for (let at = row * piece.width + x; at < row * piece.width + x + side; at += 1) {
          pixels += compared[at] ?? 0;
          sum += grey[at] ?? 0;
        }
      }
      if (pixels < side * side) continue;
      columns.push(x);
      rows.push(y);
      sums.push(sum);
    }
  }
  const mean = sums.reduce((all, sum) => all + sum, 0) / Math.max(1, sums.length);
  const values = Float64Array.from(sums, (sum) => sum - mean);
  const norm = Math.sqrt(values.reduce((all, value) => all + value * value, 0));
  return { side, columns, rows, values, norm };
}

function scorePlaces(coarse: CoarseTemplate, { piece }: Template, plane: GreyPlane): Float32Array {
  const sums = squareSums(plane, coarse.side);
  const offsets = Int32Array.from(coarse.columns, (x, at) => (coarse.rows[at] ?? 0) * plane.width + x);
  const { values, norm } = coarse;
  const width = plane.width - piece.width + 1;
  const height = plane.height - piece.height + 1;
  const scores = new Float32Array(width * height);
  for (let y = 0, place = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1, place += 1) {
      const start = y * plane.width + x;
      let sum = 0;
      let squares = 0;
      let products = 0;
      for (let at = 0; at < offsets.length; at += 1) {
        const value = sums[start + (offsets[at] ?? 0)] ?? 0;
        sum += value;
        squares += value * value;
        products += value * (values[at] ?? 0);
      }
      const scale = norm * Math.sqrt(Math.max(0, squares - (sum * sum) / offsets.length));
      scores[place] = scale < 1 ? 0 : products / scale;
    }
  }
  return scores;
}

function squareSums({ values, width, height }: GreyPlane, side: number): Float64Array {
  const rowSums = new Float64Array(width * height);
  for (let y = 0; y < height; y += 1) {
    const end = y * width + width - side;
    let sum = 0;
    for (let at = y * width; at < y * width + side; at += 1) sum += values[at] ?? 0;
    for (let at = y * width; at <= end; at += 1) {
      rowSums[at] = sum;
      sum += (values[at + side] ?? 0) - (values[at] ?? 0);
    }
  }
  const sums = new Float64Array(width * height);
  for (let at = 0; at < width * (height - side + 1); at += 1) {
    let sum = 0;
    for (let row = 0; row < side; row += 1) sum += rowSums[at + row * width] ?? 0;
    sums[at] = sum;
  }
  return sums;
}
