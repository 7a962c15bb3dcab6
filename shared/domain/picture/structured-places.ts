import { differs } from "./changes.ts";
import {
  clip,
  crop,
  holds,
  moveInside,
  type Picture,
  type Point,
  type Rectangle,
  type Size,
} from "./picture.ts";
import { createTemplate } from "./template.ts";

const windowSize: Size = { width: 64, height: 64 };
const stepPixels = 32;
/** Fewer changed pixels do not prove that it is another screen. */
const changedMin = 24;

/** Places with the most structure come first; something unmasked has changed around each. */
export function structuredPlaces(
  before: Picture,
  after: Picture,
  part: Rectangle,
  masks: readonly Rectangle[],
): readonly Point[] {
  const places = steps(part.y, part.height).flatMap((y) => steps(part.x, part.width).map((x) => ({ x, y })));
  return places
    .map((place) => {
      const around = { x: place.x - windowSize.width / 2, y: place.y - windowSize.height / 2, ...windowSize };
      const window = moveInside(after, around);
      const changed = clipTo(window, part);
      const isChanged = changed !== undefined && changesIn(before, after, changed, masks);
      return { place, structure: isChanged ? createTemplate(crop(after, window), window, []).deviation : 0 };
    })
    .filter(({ structure }) => structure > 0)
    .toSorted((a, b) => b.structure - a.structure)
    .map(({ place }) => place);
}

function steps(from: number, size: number): readonly number[] {
  const inner = size - windowSize.width;
  if (inner <= 0) return [Math.floor(from + size / 2)];
  const count = Math.ceil(inner / stepPixels) + 1;
  return Array.from({ length: count }, (_, at) =>
    Math.floor(from + windowSize.width / 2 + (inner * at) / (count - 1)),
  );
}

function clipTo(window: Rectangle, part: Rectangle): Rectangle | undefined {
  const within = clip(part, { ...window, x: window.x - part.x, y: window.y - part.y });
  return within && { ...within, x: within.x + part.x, y: within.y + part.y };
}

/** Longer and thinner changes are frames of a field that got or lost the focus. */
const linePixels = 20;
const lineThickness = 3;

/** @param part must be wholly on both pictures. */
function changesIn(
  before: Picture,
  after: Picture,
  { x, y, width, height }: Rectangle,
  masks: readonly Rectangle[],
): boolean {
  const changed = new Uint8Array(width * height);
  for (let at = 0; at < changed.length; at += 1) {
    const [column, row] = [x + (at % width), y + Math.floor(at / width)];
    if (!differs(before.data, after.data, (row * after.width + column) * 3)) continue;
    if (masks.some((mask) => holds(mask, { x: column, y: row, width: 1, height: 1 }))) continue;
    changed[at] = 1;
  }
  const across = new Uint8Array(changed.length);
  const down = new Uint8Array(changed.length);
  for (let row = 0; row < height; row += 1)
    runs(changed, across, { from: row * width, step: 1, count: width });
  for (let column = 0; column < width; column += 1)
    runs(changed, down, { from: column, step: width, count: height });
  const isLine = (long: number, thick: number) => long >= linePixels && thick <= lineThickness;
  const solid = changed.filter((isChanged, at) => {
    const [wide, high] = [across[at] ?? 0, down[at] ?? 0];
    return isChanged === 1 && !isLine(wide, high) && !isLine(high, wide);
  });
  return solid.length >= changedMin;
}

function runs(
  set: Uint8Array,
  lengths: Uint8Array,
  { from, step, count }: { readonly from: number; readonly step: number; readonly count: number },
): void {
  let begin = 0;
  for (let place = 0; place <= count; place += 1) {
    if (place < count && set[from + place * step] === 1) continue;
    for (let each = begin; each < place; each += 1) lengths[from + each * step] = place - begin;
    begin = place + 1;
  }
}
