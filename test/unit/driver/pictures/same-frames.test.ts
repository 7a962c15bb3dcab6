import { describe, expect, it } from "vitest";
import type { Frame } from "../../../../infra/driver/screens/pictures/frame.ts";
import { areSame } from "../../../../infra/driver/screens/pictures/same-frames.ts";

type Box = readonly [left: number, top: number, width: number, height: number];

function black(width: number, height: number): Frame {
  return { width, height, pixels: new Uint8Array(width * height * 4) };
}

function changed(frame: Frame, boxes: readonly Box[]): Frame {
  const pixels = frame.pixels.slice();
  for (const [left, top, width, height] of boxes) {
    for (let y = top; y < top + height; y += 1) {
      for (let x = left; x < left + width; x += 1) pixels[(y * frame.width + x) * 4] = 1;
    }
  }
  return { ...frame, pixels };
}

function tinted(frame: Frame, byte: number): Frame {
  return { ...frame, pixels: frame.pixels.map((value, at) => (at % 4 === byte ? 0xff : value)) };
}

const before = black(1_000, 900);

describe("two frames", () => {
  it("are the same when nothing differs, or the byte that is not used alone", () => {
    expect(areSame(before, black(1_000, 900))).toBe(true);
    expect(areSame(black(40, 30), tinted(black(40, 30), 3))).toBe(true);
  });

  it.each([
    ["in the middle", [500, 450, 4, 40]],
    ["in the upper left corner", [0, 0, 4, 40]],
    ["in the lower right corner", [996, 860, 4, 40]],
  ] satisfies [string, Box][])("are the same but for a cursor of 4 x 40 %s", (_where, box) => {
    expect(areSame(before, changed(before, [box]))).toBe(true);
  });

  it.each([
    ["wider", [[500, 450, 5, 1]]],
    ["higher", [[500, 450, 1, 41]]],
    [
      "at two places of a row",
      [
        [3, 7, 1, 1],
        [7, 7, 1, 1],
      ],
    ],
    [
      "at two places of a column",
      [
        [7, 3, 1, 1],
        [7, 43, 1, 1],
      ],
    ],
    [
      "slanting to the left",
      [
        [7, 3, 1, 1],
        [3, 4, 1, 1],
      ],
    ],
  ] satisfies [string, Box[]][])("differ with a change that is %s", (_what, boxes) => {
    expect(areSame(before, changed(before, boxes))).toBe(false);
  });

  it("differ with more than 0.02 % of the pixels, though all within the box", () => {
    const small = black(400, 100);
    expect(areSame(small, changed(small, [[9, 9, 4, 2]]))).toBe(true);
    expect(areSame(small, changed(small, [[9, 9, 3, 3]]))).toBe(false);
  });

  it.each([
    ["blue", 0],
    ["green", 1],
    ["red", 2],
  ])("differ by %s alone", (_color, byte) => {
    expect(areSame(black(40, 30), tinted(black(40, 30), byte))).toBe(false);
  });

  it("differ by size", () => {
    expect(areSame(black(2, 3), black(3, 2))).toBe(false);
    expect(areSame(black(2, 3), black(2, 2))).toBe(false);
  });
});
