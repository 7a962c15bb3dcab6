import { describe, expect, it } from "vitest";
import { inkWithin } from "../../shared/domain/picture/ink.ts";
import { crop, overlap, type Rectangle } from "../../shared/domain/picture/picture.ts";
import { type LastScreenOptions, lastPieces } from "../../shared/domain/recording/last-screen.ts";
import { Canvas } from "../support/pictures/canvas.ts";

const size = { width: 1280, height: 800 };
const white = 0xffffff;
const banner: Rectangle = { x: 200, y: 120, width: 400, height: 40 };
const list: Rectangle = { x: 640, y: 560, width: 300, height: 60 };
const customer: Rectangle = { x: 300, y: 400, width: 120, height: 20 };

function page(): Canvas {
  const canvas = new Canvas(size.width, size.height, white);
  canvas.frame({ x: 100, y: 80, width: 1_000, height: 640 }, 0x888888);
  canvas.text(120, 90, "Orders of the shop", 0x222222);
  return canvas;
}

function saved(...values: readonly string[]): Canvas {
  const canvas = page();
  canvas.fill(banner, 0xdff0d8);
  canvas.text(banner.x + 12, banner.y + 12, "The order was saved", 0x1b5e20);
  canvas.fill(list, 0xeeeeee);
  canvas.text(list.x + 12, list.y + 12, "1 order of today, open", 0x333333);
  for (const value of values) canvas.text(customer.x, customer.y, value, 0x222222);
  return canvas;
}

const free: LastScreenOptions = { masks: [], avoided: [], values: [], isInTime: () => true };
const framesOf = (pieces: ReturnType<typeof lastPieces>) =>
  pieces.map(({ x, y, piece }) => ({ x, y, width: piece.width, height: piece.height }));

describe("the pieces of the last screen", () => {
  it("are one of each part that changed, and none of what was there before", () => {
    const frames = framesOf(lastPieces(saved(), { before: page(), near: undefined }, free));
    expect(frames).toHaveLength(2);
    for (const part of [banner, list]) expect(frames.some((frame) => overlap(frame, part))).toBe(true);
  });

  it("are none of what may not be shown, nor of what looks like a value of the run", () => {
    const last = saved("Weiss GmbH");
    const change = { before: page(), near: undefined };
    const count = (options: Partial<LastScreenOptions>) =>
      lastPieces(last, change, { ...free, ...options }).length;
    expect(count({})).toBe(3);
    expect(count({ avoided: [banner] })).toBe(2);
    const ink = inkWithin(last, { ...customer, x: customer.x - 8, height: 24 });
    const values = ink === undefined ? [] : [crop(last, ink)];
    const frames = framesOf(lastPieces(last, change, { ...free, values }));
    expect(frames.filter((frame) => overlap(frame, customer))).toEqual([]);
    expect(frames).toHaveLength(2);
  });

  it("are none where nothing changed but a caret, and none beyond the time", () => {
    const blinking = page();
    blinking.fill({ x: 300, y: 300, width: 2, height: 16 }, 0);
    expect(lastPieces(blinking, { before: page(), near: undefined }, free)).toEqual([]);
    const late = { ...free, isInTime: () => false };
    expect(lastPieces(saved(), { before: page(), near: undefined }, late)).toEqual([]);
  });
});
