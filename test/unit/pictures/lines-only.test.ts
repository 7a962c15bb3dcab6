import { describe, expect, it } from "vitest";
import { isLinesOnly } from "../../../shared/domain/picture/ink.ts";
import { crop } from "../../../shared/domain/picture/picture.ts";
import { PiecePictures } from "../../../shared/domain/picture/piece-pictures.ts";
import { recordElement } from "../../../shared/domain/recording/record-element.ts";
import { warnOfLines } from "../../../shared/domain/trajectory/approval/approval-warnings.ts";
import { pngCodec } from "../../../shared/pictures/png-codec.ts";
import { Canvas } from "../../support/pictures/canvas.ts";

const rows = ["Anna Weber", "Bruno Keller", "Clara Lindt", "David Moser"];
const table = { x: 130, y: 160, width: 620, height: 30 };

/** A list of customers, whose names lie left of where their rows are clicked. */
function page(names: readonly string[]): Canvas {
  const canvas = new Canvas(1280, 800, 0xffffff);
  canvas.text(130, 120, "Invoices", 0x222222);
  for (const [at, name] of names.entries()) {
    const y = table.y + at * table.height;
    canvas.frame({ x: table.x, y, width: 371, height: table.height + 1 }, 0x999999);
    canvas.frame({ x: table.x + 370, y, width: 250, height: table.height + 1 }, 0x999999);
    canvas.text(table.x + 9, y + 11, name, 0x222222);
  }
  return canvas;
}

describe("a piece of lines only", () => {
  it("has no letter, no sign and no button's text", () => {
    const seen = page(rows);
    expect(isLinesOnly(crop(seen, { x: 376, y: 205, width: 128, height: 64 }))).toBe(true);
    expect(isLinesOnly(crop(seen, { x: 120, y: 205, width: 128, height: 64 }))).toBe(false);
    expect(isLinesOnly(new Canvas(64, 64, 0x336699))).toBe(true);
  });

  it("is warned of where a click is found by it", () => {
    const piece = crop(page(rows), { x: 376, y: 205, width: 128, height: 64 });
    const png = Buffer.from(pngCodec.encode(piece)).toString("base64");
    const anchor = { x: 376, y: 205, width: 128, height: 64, png };
    const action = { type: "click", x: 440, y: 237, target: "the row of Clara Lindt" } as const;
    const element = { action, by: "replay", anchor, timeoutMs: 0 } as const;
    const pictures = new PiecePictures(pngCodec);
    expect(warnOfLines(pictures, [{ at: 2, element }])).toEqual([
      expect.stringMatching(
        /^element 3 \(click, "the row of Clara Lindt"\) is found by straight lines alone/,
      ),
    ]);
    expect(warnOfLines(pictures, [{ at: 2, element: { ...element, by: "model" } }])).toEqual([]);
  });

  it("is not what a click on a row is known by: its name is", () => {
    const action = { type: "click", x: 440, y: 237, target: "the row of Clara Lindt" } as const;
    const { by, anchor, guard } = recordElement(pngCodec, { action, before: page(rows), changed: undefined });
    expect(by).toBe("replay");
    expect(guard).toBeDefined();
    const piece = pngCodec.decode(Buffer.from(anchor?.png ?? "", "base64"));
    expect(isLinesOnly(piece)).toBe(false);
  });
});
