import { describe, expect, it } from "vitest";
import { desktopPoint, nearestPoint } from "../../../functions/console/page/screen/desktop-point.ts";

const display = { width: 1_920, height: 1_080 };

describe("a place on a picture of a desktop", () => {
  it.each([
    [
      "its own size",
      { left: 0, top: 0, width: 1_920, height: 1_080 },
      { x: 100, y: 200 },
      { x: 100, y: 200 },
    ],
    ["half its size", { left: 10, top: 20, width: 960, height: 540 }, { x: 60, y: 120 }, { x: 100, y: 200 }],
    [
      "a phone's",
      { left: 0, top: 0, width: 360, height: 202.5 },
      { x: 359.9, y: 202.4 },
      { x: 1_919, y: 1_079 },
    ],
    [
      "twice its size",
      { left: 0, top: 0, width: 3_840, height: 2_160 },
      { x: 201, y: 401 },
      { x: 100, y: 200 },
    ],
    ["a higher box", { left: 0, top: 0, width: 960, height: 1_000 }, { x: 0, y: 230 }, { x: 0, y: 0 }],
    ["a wider box", { left: 5, top: 0, width: 2_000, height: 540 }, { x: 525, y: 0 }, { x: 0, y: 0 }],
  ])("is the display's pixel in %s", (_, box, place, point) => {
    expect(desktopPoint(place, box, display)).toEqual(point);
  });

  it("is nowhere beside the picture, and in a box without room", () => {
    const box = { left: 0, top: 0, width: 960, height: 1_000 };
    expect(desktopPoint({ x: 0, y: 229 }, box, display)).toBeUndefined();
    expect(desktopPoint({ x: 960, y: 500 }, box, display)).toBeUndefined();
    expect(desktopPoint({ x: 0, y: 0 }, { ...box, width: 0 }, display)).toBeUndefined();
  });

  it("is at the nearest edge for a drag that ends beside it", () => {
    const box = { left: 0, top: 0, width: 960, height: 1_000 };
    expect(nearestPoint({ x: -50, y: 0 }, box, display)).toEqual({ x: 0, y: 0 });
    expect(nearestPoint({ x: 5_000, y: 5_000 }, box, display)).toEqual({ x: 1_919, y: 1_079 });
    expect(nearestPoint({ x: 480, y: 500 }, box, display)).toEqual({ x: 960, y: 540 });
  });
});
