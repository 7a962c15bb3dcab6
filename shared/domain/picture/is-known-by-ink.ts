import { areApart } from "./coarse-search.ts";
import type { Anchor } from "./find-anchor.ts";
import { type GreyPlane, greyOf } from "./grey-plane.ts";
import { mostFrequent } from "./ink.ts";
import { clip, grown, type Picture, type Rectangle } from "./picture.ts";
import { createTemplate, type Template } from "./template.ts";

/** A grey this far from the background's is ink, and one this far from the recorded one is other ink. */
const inkDifference = 32;
const tilePixels = 16;
/** One letter may have this many pixels more than another in a tile. */
const missingInkMin = 4;
const alikeMin = 0.75;

/** Other places nearby must lack some of the piece's ink: a place that only has more ink may lose it. */
export function isKnownByInk(
  screen: Picture,
  anchor: Anchor,
  { masks, radius }: { readonly masks: readonly Rectangle[]; readonly radius: number },
): boolean {
  const { x, y, piece } = anchor;
  const { width, height } = piece;
  const area = clip(screen, grown({ x, y, width, height }, radius));
  if (area === undefined) return false;
  const plane = greyOf(screen, area);
  const template = createTemplate(piece, anchor, masks);
  const ink = inkOf(template, plane.width);
  const missing = new Uint16Array(ink.tiles);
  const isAllAt = (start: number): boolean => {
    missing.fill(0);
    for (let index = 0; index < ink.values.length; index += 1) {
      const there = plane.values[start + (ink.offsets[index] ?? 0)] ?? 0;
      if (Math.abs(there - (ink.values[index] ?? 0)) <= inkDifference) continue;
      const tile = ink.tileOf[index] ?? 0;
      missing[tile] = (missing[tile] ?? 0) + 1;
      if ((missing[tile] ?? 0) >= missingInkMin) return false;
    }
    return true;
  };
  for (let row = 0; row + height <= plane.height; row += 1) {
    for (let column = 0; column + width <= plane.width; column += 1) {
      if (!areApart({ x: plane.x + column, y: plane.y + row }, anchor)) continue;
      const start = row * plane.width + column;
      if (isAllAt(start) && isMostlyAt(template, plane, start)) return false;
    }
  }
  return true;
}

function isMostlyAt({ grey, piece }: Template, plane: GreyPlane, start: number): boolean {
  let alike = 0;
  for (const [at, value] of grey.entries()) {
    const offset = Math.floor(at / piece.width) * plane.width + (at % piece.width);
    if (Math.abs((plane.values[start + offset] ?? 0) - value) <= inkDifference) alike += 1;
  }
  return alike >= alikeMin * grey.length;
}

interface Ink {
  readonly values: readonly number[];
  readonly offsets: readonly number[];
  readonly tileOf: readonly number[];
  readonly tiles: number;
}

function inkOf({ grey, compared, piece }: Template, planeWidth: number): Ink {
  const background = mostFrequent(grey);
  const columns = Math.ceil(piece.width / tilePixels);
  const [values, offsets, tileOf]: [number[], number[], number[]] = [[], [], []];
  for (const [at, value] of grey.entries()) {
    if (compared[at] === 0 || Math.abs(value - background) <= inkDifference) continue;
    const [column, row] = [at % piece.width, Math.floor(at / piece.width)];
    values.push(value);
    offsets.push(row * planeWidth + column);
    tileOf.push(Math.floor(row / tilePixels) * columns + Math.floor(column / tilePixels));
  }
  return { values, offsets, tileOf, tiles: columns * Math.ceil(piece.height / tilePixels) };
}
