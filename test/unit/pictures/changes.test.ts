import { describe, expect, it } from "vitest";
import {
  changedParts,
  changedRegion,
  guardSizeMax,
  movingParts,
} from "../../../shared/domain/picture/changes.ts";
import { Canvas } from "../../support/pictures/canvas.ts";
import {
  aProgram,
  clockPlace,
  drawProgram,
  fieldPlace,
  type ProgramState,
  spinnerPlace,
} from "../../support/pictures/program-screen.ts";
import { sameScreens } from "../../support/pictures/same-screens.ts";

const program = aProgram({ size: { width: 860, height: 640 } });
const draw = (state: Partial<ProgramState> = {}) => drawProgram({ ...program, ...state });
const screen = draw();

describe("the parts that changed", () => {
  it("are none between two looks at one screen, also under noise", () => {
    expect(changedParts(screen, draw())).toEqual([]);
    expect(changedParts(draw({ noise: 2 }), draw({ noise: 2, noiseSeed: 7 }))).toEqual([]);
    expect(changedRegion(screen, draw())).toBeUndefined();
  });

  it("are one each, the largest first, with nothing around", () => {
    const changed = new Canvas(400, 300, 0xffffff);
    changed.fill({ x: 37, y: 41, width: 5, height: 3 }, 0);
    changed.fill({ x: 200, y: 150, width: 90, height: 70 }, 0x00ff00);
    expect(changedParts(new Canvas(400, 300, 0xffffff), changed)).toEqual([
      { x: 200, y: 150, width: 90, height: 70 },
      { x: 37, y: 41, width: 5, height: 3 },
    ]);
  });

  it("are one where they nearly touch, such as the letters of a text", () => {
    const typed = draw({ fields: { Customer: "ACME Inc" } });
    const [part, ...more] = changedParts(screen, typed);
    expect(more).toEqual([]);
    expect(part).toMatchObject({ x: fieldPlace(program, "Customer").x + 8, height: 7 });
  });

  it("at both ends of the screen are two", () => {
    const changed = new Canvas(64, 64, 0xffffff);
    changed.fill({ x: 0, y: 32, width: 2, height: 2 }, 0);
    changed.fill({ x: 62, y: 16, width: 2, height: 2 }, 0);
    expect(changedParts(new Canvas(64, 64, 0xffffff), changed)).toHaveLength(2);
  });

  it("of pictures of two sizes are refused", () => {
    expect(() => changedParts(screen, new Canvas(10, 10))).toThrow(RangeError);
  });
});

describe("the region for a guard", () => {
  it("holds what an action changed, and is at least 96 x 48", () => {
    const changed = new Canvas(400, 300, 0xffffff);
    changed.fill({ x: 200, y: 100, width: 2, height: 14 }, 0);
    const region = changedRegion(new Canvas(400, 300, 0xffffff), changed);
    expect(region).toEqual({ x: 153, y: 83, width: 96, height: 48 });
  });

  it("holds a field that got the focus", () => {
    const { x, y, width, height } = fieldPlace(program, "Amount");
    const region = changedRegion(screen, draw({ focused: "Amount" }));
    expect(region).toEqual({ x, y: y - 12, width, height: height + 24 });
  });

  it("is not larger than is kept of a window that opened, and never hangs over the border", () => {
    const region = changedRegion(draw({ isOpen: false }), screen);
    expect(region).toMatchObject(guardSizeMax);
    const changed = new Canvas(400, 300, 0xffffff);
    changed.fill({ x: 390, y: 290, width: 4, height: 4 }, 0);
    expect(changedRegion(new Canvas(400, 300, 0xffffff), changed)).toEqual({
      x: 304,
      y: 252,
      width: 96,
      height: 48,
    });
  });

  it("is nearest to where the action was, and not what changes by itself", () => {
    const after = draw({ focused: "Amount", selected: program.rows[0] ?? "", clock: "10:42" });
    const near = fieldPlace(program, "Amount");
    expect(changedRegion(screen, after, { near })).toMatchObject({ x: near.x });
    expect(changedRegion(screen, after)?.x).toBeGreaterThan(near.x + near.width);
    const clock = draw({ clock: "10:42" });
    expect(changedRegion(screen, clock, { masks: [clockPlace(program)] })).toBeUndefined();
  });
});

describe("the parts that move by themselves", () => {
  it("are a spinner and a clock with seconds", () => {
    const looks = ["10:41", "10:42", "10:43", "10:44"].map((clock, at) => draw({ spinner: at, clock }));
    const parts = movingParts(looks);
    expect(parts).toHaveLength(2);
    const inside = (outer: { x: number; y: number; width: number; height: number }) =>
      parts.some(
        ({ x, y, width, height }) =>
          x >= outer.x &&
          y >= outer.y &&
          x + width <= outer.x + outer.width &&
          y + height <= outer.y + outer.height,
      );
    expect(inside(spinnerPlace(program))).toBe(true);
    expect(inside(clockPlace(program))).toBe(true);
  });

  it("are not what opens and is filled", () => {
    const typed = (text: string) => draw({ fields: { Customer: text }, dialog: "plain" });
    expect(movingParts([screen, typed(""), typed("Ada"), typed("Ada")])).toEqual([]);
  });

  it("are none on a still screen, with one look, or where only a text's cursor blinks", () => {
    expect(movingParts([screen, draw(), draw()])).toEqual([]);
    expect(movingParts([screen])).toEqual([]);
    expect(movingParts([])).toEqual([]);
    const focused = (caret: boolean) => draw({ focused: "Customer", caret });
    expect(movingParts([focused(true), focused(false), focused(true)])).toEqual([]);
  });
});

describe("two screens are the same", () => {
  it("with a cursor that blinks, under noise, and with what is masked", () => {
    expect(sameScreens(screen, draw())).toBe(true);
    expect(sameScreens(screen, draw({ noise: 3 }))).toBe(true);
    expect(sameScreens(draw({ focused: "Amount" }), draw({ focused: "Amount", caret: false }))).toBe(true);
    expect(sameScreens(screen, draw({ clock: "10:42" }), [clockPlace(program)])).toBe(true);
  });

  it.each<[string, Partial<ProgramState>]>([
    ["a letter", { fields: { Customer: "A" } }],
    ["a clock", { clock: "10:42" }],
    ["the focus", { focused: "Amount" }],
    ["the pointer over a button", { buttons: { Save: "hovered" } }],
    ["a faint backdrop", { dialog: "dimmed", backdrop: 0.05 }],
    ["a selected row", { selected: program.rows[3] ?? "" }],
  ])("but not with another look of %s", (_what, state) => {
    expect(sameScreens(screen, draw(state))).toBe(false);
  });

  it("but not at another size", () => {
    expect(sameScreens(screen, new Canvas(10, 10))).toBe(false);
  });
});
