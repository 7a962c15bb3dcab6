import { describe, expect, it } from "vitest";
import { cutAnchor } from "../../shared/domain/picture/cut-anchor.ts";
import { cutBeside } from "../../shared/domain/picture/cut-beside.ts";
import { findAnchor } from "../../shared/domain/picture/find-anchor.ts";
import { Canvas } from "../support/pictures/canvas.ts";
import { centerOf } from "../support/pictures/program-screen.ts";
import {
  aWideForm,
  drawWideForm,
  type WideForm,
  wideFieldNames,
  wideFieldPlace,
} from "../support/pictures/wide-form.ts";

const middleOf = (form: WideForm, name: (typeof wideFieldNames)[number]) =>
  centerOf(wideFieldPlace(form, name));

describe("an anchor beside the point", () => {
  it.each(wideFieldNames)(
    "is found for the middle of a field of 430 pixels, and moves with it: %s",
    (name) => {
      const form = aWideForm();
      const screen = drawWideForm(form);
      const point = middleOf(form, name);
      expect(cutAnchor(screen, point)).toBeNull();
      const anchor = cutBeside(screen, point);
      if (anchor === null) throw new Error("nothing beside it is unique");
      expect(Math.abs(anchor.x + anchor.piece.width / 2 - point.x)).toBeLessThanOrEqual(320);
      const movedBy = { dx: 37, dy: -21 };
      expect(findAnchor(drawWideForm({ ...form, movedBy }), anchor)).toMatchObject({
        kind: "found",
        movedBy,
      });
    },
  );

  const text = (canvas: Canvas, x: number, y: number) => canvas.text(x, y, "Contract 4711/b", 0x202020);
  const point = { x: 400, y: 300 };
  const blank = (color = 0xffffff) => new Canvas(800, 600, color);

  it("is the nearest one along the row, before any along the column", () => {
    const screen = blank();
    text(screen, point.x + 180, point.y);
    text(screen, point.x - 350, point.y);
    text(screen, point.x - 40, point.y - 150);
    expect(cutBeside(screen, point)?.x).toBeGreaterThan(point.x - 128);
    const above = blank();
    text(above, point.x - 40, point.y - 150);
    expect(cutBeside(above, point)?.y).toBeLessThan(point.y - 60);
  });

  it("is none further away than 320 pixels", () => {
    const screen = blank();
    screen.text(0, point.y, "4711/b", 0x202020);
    expect(cutBeside(screen, { ...point, x: 430 })).not.toBeNull();
    expect(cutBeside(screen, { ...point, x: 500 })).toBeNull();
  });

  it("is none behind the border of a window, whatever is nearer to it", () => {
    const screen = blank(0x9fb4c0);
    text(screen, point.x - 260, point.y);
    text(screen, point.x - 40, point.y - 130);
    expect(cutBeside(screen, point)).not.toBeNull();
    const window = { x: point.x - 150, y: point.y - 110, width: 300, height: 220 };
    screen.fill(window, 0xffffff);
    screen.frame(window, 0x5e6060);
    expect(cutBeside(screen, point)).toBeNull();
    screen.fill({ ...window, height: 26 }, 0x3b6ea5);
    expect(cutBeside(screen, { ...point, y: window.y + 12 })).toBeNull();
    screen.text(window.x + 20, window.y + 9, "Orders", 0xffffff);
    const title = cutBeside(screen, { x: point.x + 40, y: window.y + 12 });
    expect(title).toMatchObject({ y: window.y, piece: { height: 26 } });
  });

  it("is not compared where a mask lies", () => {
    const screen = blank();
    text(screen, point.x - 220, point.y);
    const masks = [{ x: 0, y: point.y - 10, width: 390, height: 30 }];
    expect(cutBeside(screen, point, { masks })).toBeNull();
  });
});
