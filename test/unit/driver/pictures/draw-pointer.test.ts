import { describe, expect, it } from "vitest";
import { drawPointer } from "../../../../infra/driver/screens/pictures/draw-pointer.ts";
import { aFrameOf, colorsOf } from "../../../support/pictures/frames.ts";

const below = 0x204060;

function drawn(x: number, y: number, argb: readonly number[]): readonly number[] {
  const frame = aFrameOf(4, 3, () => below);
  drawPointer(frame, { x, y, width: 2, height: 2, argb: Uint32Array.from(argb) });
  return colorsOf(frame);
}

const [a, b, c, d] = [0x0a0a0a, 0x0b0b0b, 0x0c0c0c, 0x0d0d0d];
const solid = [a, b, c, d].map((color) => color + 0xff000000);
const _ = below;

describe("the pointer in a picture", () => {
  it("covers what it lies on, and nothing beside", () => {
    expect(drawn(1, 1, solid)).toEqual([_, _, _, _, _, a, b, _, _, c, d, _]);
  });

  it("lets through what its transparency says: its colors are multiplied already", () => {
    const clear = 0x00000000;
    const half = 0x80400000;
    const glow = 0x00100000;
    const colors = drawn(0, 0, [clear, half, glow, 0xff123456]);
    expect(colors.slice(0, 2)).toEqual([below, (0x40 + 0x10) * 0x10000 + 0x2030]);
    expect(colors.slice(4, 6)).toEqual([0x304060, 0x123456]);
  });

  it("stays below full brightness where its colors are not multiplied", () => {
    expect(drawn(0, 0, [0x00ffffff, 0, 0, 0])[0]).toBe(0xffffff);
  });

  it.each([
    ["upper left", -1, -1, [d, _, _, _, _, _, _, _, _, _, _, _]],
    ["right", 3, 0, [_, _, _, a, _, _, _, c, _, _, _, _]],
    ["lower", 2, 2, [_, _, _, _, _, _, _, _, _, _, a, b]],
    ["beyond", 4, 3, Array(12).fill(_)],
    ["far before", -2, -9, Array(12).fill(_)],
  ])("is cut at an edge: %s", (_edge, x, y, colors) => {
    expect(drawn(x, y, solid)).toEqual(colors);
  });
});
