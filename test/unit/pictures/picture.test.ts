import { describe, expect, it } from "vitest";
import { downscale, thumbnail } from "../../../shared/domain/picture/downscale.ts";
import { paintOver } from "../../../shared/domain/picture/edit-picture.ts";
import { crop, type Picture } from "../../../shared/domain/picture/picture.ts";
import { Canvas } from "../../support/pictures/canvas.ts";

function aGrid(width: number, height: number): Picture {
  const canvas = new Canvas(width, height);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) canvas.set(x, y, (x << 16) | (y << 8));
  return canvas;
}

describe("a part of a picture", () => {
  it("has the pixels that lie there", () => {
    const part = crop(aGrid(9, 7), { x: 4, y: 5, width: 2, height: 2 });
    expect(part).toEqual({ width: 2, height: 2, data: Uint8Array.of(4, 5, 0, 5, 5, 0, 4, 6, 0, 5, 6, 0) });
  });

  it.each([
    [{ x: -1, y: 0, width: 2, height: 2 }],
    [{ x: 8, y: 0, width: 2, height: 2 }],
    [{ x: 0, y: 6, width: 2, height: 2 }],
  ])("is refused where it hangs over the border: %j", (part) => {
    expect(() => crop(aGrid(9, 7), part)).toThrow(RangeError);
  });
});

describe("a smaller picture", () => {
  it("has the mean of the pixels that each of its own covers", () => {
    const { data } = downscale(aGrid(8, 4), { width: 2, height: 2 });
    expect([...data]).toEqual([2, 1, 0, 6, 1, 0, 2, 3, 0, 6, 3, 0]);
  });

  it("leaves out no pixel where the sizes do not divide", () => {
    const canvas = new Canvas(5, 1);
    canvas.set(4, 0, 0xff0000);
    const { data } = downscale(canvas, { width: 2, height: 1 });
    expect([...data]).toEqual([0, 0, 0, 85, 0, 0]);
  });

  it.each([
    [1920, 1080],
    [800, 600],
    [30, 20],
  ])("is a thumbnail of 64 x 40 whatever it is of, here %i x %i", (width, height) => {
    const { data, ...size } = thumbnail(new Canvas(width, height, 0x102030));
    expect(size).toEqual({ width: 64, height: 40 });
    expect(data.every((value, at) => value === [0x10, 0x20, 0x30][at % 3])).toBe(true);
  });
});

describe("what is painted over", () => {
  it("leaves nothing of the parts, all of the rest, and the picture itself as it was", () => {
    const picture = aGrid(6, 4);
    const painted = paintOver(picture, [
      { x: 4, y: 1, width: 9, height: 2 },
      { x: 50, y: 50, width: 2, height: 2 },
    ]);
    for (let y = 0; y < 4; y += 1) {
      for (let x = 0; x < 6; x += 1) {
        const pixel = [...crop(painted, { x, y, width: 1, height: 1 }).data];
        expect(pixel).toEqual(x >= 4 && (y === 1 || y === 2) ? [128, 128, 128] : [x, y, 0]);
      }
    }
    expect(picture).toEqual(aGrid(6, 4));
  });
});
