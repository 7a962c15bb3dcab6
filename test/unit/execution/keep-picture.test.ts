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

/** A field with a text, of which some letters may be selected. */
function lettersIn(
  text: string,
  selected: { readonly from: number; readonly background: number; readonly ink: number },
) {
  const canvas = new Canvas(320, 200, 0xd0d0d0);
  canvas.fill(field, 0xffffff);
  canvas.text(24, 28, text, 0x202020);
  const rest = text.slice(selected.from);
  const x = 24 + 6 * selected.from;
  if (rest === "") return canvas;
  canvas.fill({ ...field, x, width: 6 * rest.length }, selected.background);
  canvas.text(x, 28, rest, selected.ink);
  return canvas;
}

const secret = "Kxanmary-4711K-7d0";
const none = { from: secret.length, background: 0, ink: 0 };
const light = { background: 0xcce4ff, ink: 0x202020 };
const dark = { background: 0x2060c0, ink: 0xffffff };

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

  it.each([
    ["all of it, lightly", { from: 0, ...light }],
    ["all of it, darkly", { from: 0, ...dark }],
    ["half of it, darkly", { from: 9, ...dark }],
  ])("stays painted over when somebody selects %s", (_, selected) => {
    const [before, after] = [lettersIn(secret, none), lettersIn(secret, selected)];
    expect(stillPainted([field], before, after)).toEqual([field]);
    expect(stillPainted([field], after, before)).toEqual([field]);
  });

  it("is shown again when another text is there, selected or not", () => {
    for (const selected of [none, { from: 0, ...light }, { from: 0, ...dark }]) {
      const [before, after] = [lettersIn(secret, none), lettersIn("seen by everybody ", selected)];
      expect(stillPainted([field], before, after)).toEqual([]);
    }
  });

  it.each<[string, (canvas: Canvas) => void]>([
    ["it is emptied", (canvas) => canvas.fill(field, 0xffffff)],
    ["another window is over it", (canvas) => canvas.fill({ x: 0, y: 0, width: 300, height: 90 }, 0x3050a0)],
  ])("is shown again when %s", (_, change) => {
    expect(stillPainted([field], screen(), screen(change))).toEqual([]);
  });
});
