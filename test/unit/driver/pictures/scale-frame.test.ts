import { describe, expect, it } from "vitest";
import { scaleFrame } from "../../../../infra/driver/screens/pictures/scale-frame.ts";
import { aFrame, aFrameOf, colorsOf, noise } from "../../../support/pictures/frames.ts";

function scaled(rows: readonly (readonly number[])[], size: { width?: number; height?: number }) {
  const { width, height, ...frame } = scaleFrame(aFrame(rows), size);
  const colors = colorsOf({ width, height, ...frame });
  return Array.from({ length: height }, (_, y) => colors.slice(y * width, (y + 1) * width));
}

describe("scaling", () => {
  it("takes the average of each area, channel by channel", () => {
    const rows = [
      [0x100000, 0x300010, 0x000000, 0x000000],
      [0x200020, 0x400000, 0x0000ff, 0x00ff00],
    ];
    expect(scaled(rows, { width: 2, height: 1 })).toEqual([[0x28000c, 0x004040]]);
  });

  it("weighs a pixel by the part of it that lies in the area", () => {
    expect(scaled([[0, 90, 30]], { width: 2, height: 1 })).toEqual([[30, 50]]);
    expect(scaled([[0], [90], [30]], { width: 1, height: 2 })).toEqual([[30], [50]]);
  });

  it("rounds to the nearest", () => {
    expect(scaled([[0, 1, 1]], { width: 1, height: 1 })).toEqual([[1]]);
    expect(scaled([[0, 0, 1]], { width: 1, height: 1 })).toEqual([[0]]);
    expect(scaled([[0, 1]], { width: 1, height: 1 })).toEqual([[1]]);
  });

  it("enlarges without blur where the size is a multiple", () => {
    expect(scaled([[7, 0xff0000]], { width: 4, height: 2 })).toEqual([
      [7, 7, 0xff0000, 0xff0000],
      [7, 7, 0xff0000, 0xff0000],
    ]);
    expect(scaled([[0, 100]], { width: 3, height: 1 })).toEqual([[0, 50, 100]]);
  });

  it("enlarges one way and reduces the other", () => {
    expect(
      scaled(
        [
          [10, 20],
          [30, 40],
        ],
        { width: 4, height: 1 },
      ),
    ).toEqual([[20, 20, 30, 30]]);
  });

  it.each([
    [{}, 8, 4],
    [{ width: 4 }, 4, 2],
    [{ height: 8 }, 16, 8],
    [{ width: 1 }, 1, 1],
    [{ width: 3 }, 3, 2],
    [{ width: 5, height: 1 }, 5, 1],
  ])("makes of 8 x 4 with %j %i x %i", (size, width, height) => {
    const frame = aFrameOf(8, 4, noise);
    const result = scaleFrame(frame, size);
    expect([result.width, result.height]).toEqual([width, height]);
    expect(result.pixels).toHaveLength(width * height * 4);
  });

  it("keeps the brightness of the whole, whatever the sizes", () => {
    const frame = aFrameOf(37, 23, (x, y) => noise(x, y) & 0xff);
    const mean = (colors: readonly number[]) => colors.reduce((sum, each) => sum + each, 0) / colors.length;
    for (const size of [
      { width: 10, height: 7 },
      { width: 36 },
      { width: 90, height: 11 },
      { height: 100 },
    ]) {
      const difference = mean(colorsOf(scaleFrame(frame, size))) - mean(colorsOf(frame));
      expect(Math.abs(difference)).toBeLessThan(0.5);
    }
  });
});
