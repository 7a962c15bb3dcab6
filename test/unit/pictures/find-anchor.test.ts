import { describe, expect, it } from "vitest";
import { cutAnchor } from "../../../shared/domain/picture/cut-anchor.ts";
import { type Anchor, type FindOptions, findAnchor } from "../../../shared/domain/picture/find-anchor.ts";
import { crop, type Picture, type Point, type Rectangle } from "../../../shared/domain/picture/picture.ts";
import { Canvas } from "../../support/pictures/canvas.ts";
import { noise } from "../../support/pictures/frames.ts";
import {
  aProgram,
  buttonPlace,
  centerOf,
  drawProgram,
  fieldPlace,
  type ProgramState,
  rowPlace,
  spinnerPlace,
} from "../../support/pictures/program-screen.ts";

const size = { width: 860, height: 640 };
const rows = [
  "Anna Schmidt 1037",
  "Emma Meyer 1074",
  "Mila Novak 1111",
  "Jonas Olsen 1148",
  "Nina Rossi 1185",
];
const recorded = aProgram({ size, rows });
const recordedScreen = drawProgram(recorded);

const save = anchorAt(centerOf(buttonPlace(recorded, "Save")));
const reference = anchorAt(centerOf(fieldPlace(recorded, "Reference")));
const mila = anchorAt(nameOf("Mila Novak 1111"));

function nameOf(row: string): Point {
  const place = rowPlace(recorded, row);
  if (place === undefined) throw new Error(`${row} is not in view`);
  return { x: place.x + 70, y: place.y + 11 };
}

function anchorAt(point: Point, masks: readonly Rectangle[] = []): Anchor {
  const anchor = cutAnchor(recordedScreen, point, { masks });
  if (anchor === null) throw new Error("there is no anchor here");
  return anchor;
}

function look(anchor: Anchor, state: Partial<ProgramState>, options?: FindOptions) {
  return findAnchor(drawProgram({ ...recorded, ...state }), anchor, options);
}

const stays = { dx: 0, dy: 0 };

describe("an anchor is found", () => {
  it.each([
    ["a button", save],
    ["a field", reference],
    ["a row", mila],
  ])("at its place: %s", (_what, anchor) => {
    expect(look(anchor, {})).toMatchObject({ kind: "found", x: anchor.x, y: anchor.y, movedBy: stays });
  });

  it.each([
    [40, 40],
    [-40, 40],
    [40, -40],
    [-40, -40],
    [1, 0],
    [0, -3],
    [64, -64],
  ])("where its window moved by %i, %i", (dx, dy) => {
    const roomy = { size: { width: 940, height: 720 } };
    const state = { ...recorded, ...roomy };
    const anchor = cutAnchor(drawProgram(state), centerOf(buttonPlace(state, "Save")));
    if (anchor === null) throw new Error("there is no anchor here");
    const match = look(anchor, { ...roomy, movedBy: { dx, dy } });
    expect(match).toMatchObject({ kind: "found", x: anchor.x + dx, y: anchor.y + dy, movedBy: { dx, dy } });
  });

  it("under noise, with the score that people are shown", () => {
    const match = look(mila, { movedBy: { dx: 13, dy: -7 }, noise: 3 });
    expect(match).toMatchObject({ kind: "found", movedBy: { dx: 13, dy: -7 } });
    expect(match.score).toBeGreaterThan(0.99);
    expect(match.score).toBeLessThan(1);
    expect(match.secondBest).toBeLessThan(0.9);
  });

  it("beside a spinner that is masked, though it went on; without the mask it is not", () => {
    const masks = [spinnerPlace(recorded)];
    const spinning = anchorAt({ x: masks[0]?.x ?? 0, y: centerOf(buttonPlace(recorded, "Save")).y }, masks);
    expect(look(spinning, { spinner: 2 }, { masks })).toMatchObject({ kind: "found", movedBy: stays });
    expect(look(spinning, { spinner: 2 })).toMatchObject({ kind: "not_found" });
    const moved = look(spinning, { spinner: 1, movedBy: { dx: 21, dy: 9 } }, { masks });
    expect(moved).toMatchObject({ kind: "found", movedBy: { dx: 21, dy: 9 } });
  });

  it("around where the last one had moved to, beyond what is searched around its own place", () => {
    const far = { size: { width: 1060, height: 640 } };
    const state = { ...recorded, ...far };
    const anchor = cutAnchor(drawProgram(state), centerOf(buttonPlace(state, "Open")));
    if (anchor === null) throw new Error("there is no anchor here");
    const moved = { ...far, movedBy: { dx: 100, dy: 0 } };
    expect(look(anchor, moved)).toMatchObject({ kind: "not_found" });
    const match = look(anchor, moved, { movedBy: { dx: 90, dy: 5 } });
    expect(match).toMatchObject({ kind: "found", movedBy: { dx: 100, dy: 0 } });
  });

  it("in the corner of the screen", () => {
    const corner = anchorAt({ x: size.width - 20, y: size.height - 16 });
    expect(corner.x + corner.piece.width).toBe(size.width);
    expect(look(corner, {})).toMatchObject({ kind: "found", movedBy: stays });
    expect(look(corner, { clock: "10:42" })).toMatchObject({ kind: "not_found" });
  });

  it("on the row that has its name, where the list is scrolled", () => {
    const longer = ["Oskar Silva 1000", "Felix Dubois 1015", "Clara Rossi 1030", ...rows, "Maria Silva 1222"];
    const state = aProgram({ size, rows: longer });
    const place = rowPlace(state, "Jonas Olsen 1148");
    const anchor = cutAnchor(drawProgram(state), { x: (place?.x ?? 0) + 70, y: (place?.y ?? 0) + 11 });
    if (anchor === null) throw new Error("there is no anchor here");
    expect(look(anchor, { rows: longer, scrolled: 22 })).toMatchObject({
      kind: "found",
      movedBy: { dx: 0, dy: -22 },
    });
  });
});

describe("an anchor is not found", () => {
  const { x, y } = centerOf(buttonPlace(recorded, "Save"));

  it.each<[string, Anchor, Partial<ProgramState>, string]>([
    ["under a dialog", save, { dialog: "plain", dialogAt: { x: x - 150, y: y - 70 } }, "no_match"],
    ["behind a dialog's backdrop", save, { dialog: "dimmed" }, "differs"],
    ["behind a backdrop that is hardly seen", save, { dialog: "dimmed", backdrop: 0.03 }, "differs"],
    ["where it is disabled", save, { buttons: { Save: "disabled" } }, "differs"],
    ["where the pointer has changed its color", save, { buttons: { Save: "hovered" } }, "differs"],
    ["where it says something else", save, { labels: { Save: "Send" } }, "no_match"],
    ["where one letter of it is another", save, { labels: { Save: "Safe" } }, "differs"],
    ["in another theme", save, { theme: "dark" }, "no_match"],
    ["where its window is closed", save, { isOpen: false }, "no_match"],
    ["where nothing but noise is", save, { isOpen: false, noise: 3 }, "no_match"],
    ["where its window has moved too far", save, { movedBy: { dx: 90, dy: 0 } }, "no_match"],
    [
      "on a row that has another number",
      mila,
      { rows: rows.map((row) => row.replace("1111", "1117")) },
      "differs",
    ],
    [
      "where other rows are",
      mila,
      { rows: rows.map((row) => row.replace(/\w+ \w+/, "Peter Fischer")) },
      "no_match",
    ],
    ["where its row is scrolled out of view", mila, { scrolled: 66 }, "no_match"],
    ["where its row is selected", mila, { selected: "Mila Novak 1111" }, "no_match"],
    ["where its field has a text already", reference, { fields: { Reference: "4711" } }, "differs"],
    ["where its field has the focus already", reference, { focused: "Reference" }, "no_match"],
    [
      "where another field is at its place",
      reference,
      { fieldOrder: ["Reference", "Amount", "Customer"] },
      "no_match",
    ],
  ])("%s", (_what, anchor, state, reason) => {
    expect(look(anchor, state)).toMatchObject({ kind: "not_found", reason });
  });

  it("and names the part of the screen that differs", () => {
    const match = look(save, { labels: { Save: "Safe" } });
    if (match.kind === "found" || match.tile === undefined) throw new Error("it names none");
    const letter = { x: x - 12 + 2 * 6, y: y - 4 };
    expect(match.tile.x).toBeLessThanOrEqual(letter.x);
    expect(match.tile.x + match.tile.width).toBeGreaterThanOrEqual(letter.x + 5);
    expect(match.tile.y).toBeLessThanOrEqual(letter.y);
    expect(match.score).toBeGreaterThan(0.9);
  });

  it("too_flat: a piece without structure", () => {
    const part = { x: 4, y: 300, width: 40, height: 64 };
    const anchor = { x: part.x, y: part.y, piece: crop(recordedScreen, part) };
    expect(findAnchor(recordedScreen, anchor)).toMatchObject({ kind: "not_found", reason: "too_flat" });
  });

  it("too_flat: a piece of which the masks leave too little", () => {
    const masks = [{ x: save.x - 5, y: save.y - 5, width: 74, height: 60 }];
    expect(look(save, {}, { masks })).toMatchObject({ kind: "not_found", reason: "too_flat" });
  });

  it("wrong_size: on a display of another size, or one too small for its place", () => {
    const wide = { size: { width: 861, height: 640 } };
    expect(look(save, wide, { recordedSize: size })).toMatchObject({ reason: "wrong_size" });
    expect(look(save, {}, { recordedSize: size })).toMatchObject({ kind: "found" });
    const tiny = new Canvas(50, 50);
    expect(findAnchor(tiny, save)).toMatchObject({ kind: "not_found", reason: "wrong_size" });
  });
});

describe("two places alike are none", () => {
  function aList(texts: readonly string[], noise = 0): Picture {
    const canvas = new Canvas(300, 300, 0xffffff);
    for (const [at, text] of texts.entries()) {
      canvas.fill({ x: 60, y: 80 + at * 22, width: 12, height: 12 }, 0xd1a349);
      canvas.text(80, 82 + at * 22, text, 0x202020);
    }
    if (noise > 0) canvas.noise(noise, Math.random);
    return canvas;
  }
  const rowAt = (screen: Picture, at: number): Anchor => {
    const part = { x: 56, y: 77 + at * 22, width: 128, height: 20 };
    return { x: part.x, y: part.y, piece: crop(screen, part) };
  };

  it("rows with one name, even where one is at its place", () => {
    const screen = aList(["Anna Meyer", "Emma Novak", "Anna Meyer"]);
    const match = findAnchor(screen, rowAt(screen, 0));
    expect(match).toMatchObject({ kind: "not_found", reason: "ambiguous", score: 1, secondBest: 1 });
  });

  it("rows with one name under noise, where one is a little nearer to the recorded one", () => {
    const screen = aList(["Anna Meyer", "Emma Novak", "Anna Meyer"], 3);
    expect(findAnchor(screen, rowAt(screen, 0))).toMatchObject({ reason: "ambiguous" });
  });

  it("but rows whose names differ by one letter are two", () => {
    const screen = aList(["Anna Meyer", "Anna Meier", "Anna Mayer"]);
    const match = findAnchor(screen, rowAt(screen, 1));
    expect(match).toMatchObject({ kind: "found", movedBy: stays });
    expect(match.secondBest).toBeGreaterThan(0.9);
  });

  it("and one whose letter is two pixels from the recorded one's is another, never clicked", () => {
    const match = findAnchor(aList(["Anna Mcyer"]), rowAt(aList(["Anna Moyer"]), 0));
    expect(match).toMatchObject({ kind: "not_found", reason: "differs" });
    expect(match.score).toBeGreaterThan(0.99);
  });

  it("lines that run on beyond the piece, along which it could be anywhere", () => {
    const screen = new Canvas(300, 300, 0xffffff);
    screen.frame({ x: 80, y: 100, width: 70, height: 30 }, 0x000000);
    const part = { x: 83, y: 90, width: 64, height: 50 };
    const anchor = { x: part.x, y: part.y, piece: crop(screen, part) };
    expect(findAnchor(screen, anchor)).toMatchObject({ kind: "not_found", reason: "ambiguous" });
  });
});

describe("an anchor that is cut", () => {
  it("is some 64 x 64 around a button, and larger where that would not be unique", () => {
    expect(save).toMatchObject({ x: centerOf(buttonPlace(recorded, "Save")).x - 32, piece: { width: 64 } });
    expect(save.piece.height).toBeLessThanOrEqual(64);
    expect(reference.piece).toMatchObject({ width: 256, height: 96 });
  });

  it("ends at the window's border, so that it is found where the window moved over a photograph", () => {
    const photographed = (dx: number, dy: number) => {
      const screen = new Canvas(400, 300);
      for (let y = 0; y < 300; y += 1) for (let x = 0; x < 400; x += 1) screen.set(x, y, noise(x, y));
      screen.fill({ x: 100 + dx, y: 60 + dy, width: 250, height: 180 }, 0xf4f4f4);
      screen.text(115 + dx, 100 + dy, "Accept", 0x202020);
      return screen;
    };
    const anchor = cutAnchor(photographed(0, 0), { x: 130, y: 103 });
    expect(anchor).toMatchObject({ x: 100 });
    if (anchor === null) return;
    const match = findAnchor(photographed(-17, 23), anchor);
    expect(match).toMatchObject({ kind: "found", movedBy: { dx: -17, dy: 23 } });
  });

  it("holds a row's whole name, so that another one's end is seen", () => {
    const place = rowPlace(recorded, "Mila Novak 1111");
    expect(mila.x).toBeLessThanOrEqual((place?.x ?? 0) + 26);
    expect(mila.x + mila.piece.width).toBeGreaterThan((place?.x ?? 0) + 26 + 15 * 6);
  });

  it("is none on a flat part of the screen, nor among many alike", () => {
    expect(cutAnchor(new Canvas(400, 300, 0x336699), { x: 200, y: 150 })).toBeNull();
    const grid = new Canvas(600, 400, 0xffffff);
    for (let y = 0; y < 400; y += 20) {
      for (let x = 0; x < 600; x += 30) grid.fill({ x, y, width: 12, height: 8 }, 0x203040);
    }
    expect(cutAnchor(grid, { x: 300, y: 200 })).toBeNull();
  });
});
