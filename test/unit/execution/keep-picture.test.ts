import { describe, expect, it } from "vitest";
import { stillPainted } from "../../../shared/domain/screen/trail-parts.ts";
import { Canvas } from "../../support/pictures/canvas.ts";

const field = { x: 22, y: 24, width: 126, height: 16 };

function screen(change: (canvas: Canvas) => void = () => {}): Canvas {
  const canvas = new Canvas(320, 200, 0xd0d0d0);
  canvas.fill(field, 0xffffff);
  canvas.fill({ x: 24, y: 26, width: 120, height: 12 }, 0x202020);
  change(canvas);
  return canvas;
}

describe("a part that shows a secret", () => {
  it.each<[string, (canvas: Canvas) => void]>([
    ["nothing changes", () => {}],
    [
      "its last character is deleted",
      (canvas) => canvas.fill({ x: 136, y: 22, width: 10, height: 20 }, 0xffffff),
    ],
    ["a cursor blinks in it", (canvas) => canvas.fill({ x: 146, y: 22, width: 1, height: 20 }, 0)],
    ["something else changes", (canvas) => canvas.fill({ x: 20, y: 80, width: 200, height: 90 }, 0x3050a0)],
  ])("stays painted over when %s", (_, change) => {
    expect(stillPainted([field], screen(), screen(change))).toEqual([field]);
  });

  it.each<[string, (canvas: Canvas) => void]>([
    ["it is emptied", (canvas) => canvas.fill(field, 0xffffff)],
    ["another window is over it", (canvas) => canvas.fill({ x: 0, y: 0, width: 300, height: 90 }, 0x3050a0)],
  ])("is shown again when %s", (_, change) => {
    expect(stillPainted([field], screen(), screen(change))).toEqual([]);
  });
});
