import { changedParts, isMoreThanCaret } from "../picture/changes.ts";
import { greyOf } from "../picture/grey-plane.ts";
import {
  clip,
  crop,
  holds,
  isSameSize,
  type Picture,
  type Rectangle,
  reversed,
  type Shift,
  shifted,
  union,
} from "../picture/picture.ts";
import { correlate, createTemplate, isFlat } from "../picture/template.ts";
import type { PaintedPart, StepTrail } from "../run-step/run-step.ts";

export function stillPainted(
  painted: readonly PaintedPart[],
  before: Picture | undefined,
  after: Picture | undefined,
): readonly PaintedPart[] {
  if (before === undefined || after === undefined) return painted;
  if (!isSameSize(before, after)) return [];
  return painted.filter((part) => part.isJoined === true || !hasChanged(part, before, after));
}

/** A third of the part must change: deleting one character keeps the others, and a blinking cursor does not count. */
function hasChanged(part: Rectangle, before: Picture, after: Picture): boolean {
  const here = clip(before, part);
  if (here === undefined) return true;
  const changes = changedParts(crop(before, here), crop(after, here)).filter(isMoreThanCaret);
  if (changes.reduce((sum, change) => sum + area(change), 0) * 3 < area(here)) return false;
  return !hasSameLetters(here, before, after);
}

const stripPixels = 16;
const alikeMin = 0.8;

/** Letters that somebody selects stand on another color, dark or light, all of them or some: most strips are alike. */
function hasSameLetters(part: Rectangle, before: Picture, after: Picture): boolean {
  let inked = 0;
  let alike = 0;
  for (let x = part.x; x < part.x + part.width; x += stripPixels) {
    const strip = { ...part, x, width: Math.min(stripPixels, part.x + part.width - x) };
    const letters = createTemplate(crop(before, strip), strip, []);
    if (isFlat(letters)) continue;
    inked += 1;
    if (Math.abs(correlate(letters, greyOf(after, strip), strip)) >= alikeMin) alike += 1;
  }
  return alike * 2 > inked;
}

const paintedMax = 40;

/** No part is dropped: the two whose union adds the least area are merged until few enough are left. */
export function joinedPainted(painted: readonly PaintedPart[]): readonly PaintedPart[] {
  if (painted.length <= paintedMax) return painted;
  const pairs = painted.flatMap((a, at) => painted.slice(0, at).map((b) => [a, b] as const));
  const [a, b] = pairs.reduce((best, pair) => (addedBy(pair) < addedBy(best) ? pair : best));
  return joinedPainted([...painted.filter((part) => part !== a && part !== b), joined(a, b)]);
}

function addedBy([a, b]: readonly [PaintedPart, PaintedPart]): number {
  return area(union(a, b)) - area(a) - area(b);
}

function area({ width, height }: Rectangle): number {
  return width * height;
}

function joined(a: PaintedPart, b: PaintedPart): PaintedPart {
  if (holds(a, b) && !b.isJoined) return a;
  if (holds(b, a) && !a.isJoined) return b;
  return { ...union(a, b), isJoined: true };
}

/** Masks are kept in the recorded screen's coordinates. */
export function withMasks(trail: StepTrail, onScreen: readonly Rectangle[], movedBy: Shift): StepTrail {
  const masks = onScreen.map((part) => shifted(part, reversed(movedBy)));
  return { ...trail, masks: bounded([...trail.masks, ...masks]) };
}

/** The bound keeps a step's row small. Dropping the oldest masks compares more, which at worst finds a difference. */
function bounded(masks: readonly Rectangle[]): readonly Rectangle[] {
  const known = masks.filter(
    (mask, at) =>
      !masks.some(
        (other, index) => index !== at && holds(other, mask) && (index < at || !holds(mask, other)),
      ),
  );
  return known.slice(-masksMax);
}

const masksMax = 40;
