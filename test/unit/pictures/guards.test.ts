import { describe, expect, it } from "vitest";
import { changedRegion } from "../../../shared/domain/picture/changes.ts";
import { thumbnail, thumbnailSize } from "../../../shared/domain/picture/downscale.ts";
import { type Guard, type GuardOptions, matchGuard } from "../../../shared/domain/picture/match-guard.ts";
import { matchThumbnail } from "../../../shared/domain/picture/match-thumbnail.ts";
import { crop, type Picture } from "../../../shared/domain/picture/picture.ts";
import { Canvas } from "../../support/pictures/canvas.ts";
import {
  aProgram,
  drawProgram,
  fieldPlace,
  type ProgramState,
} from "../../support/pictures/program-screen.ts";

/** Twice the largest difference between the looks, at least the default. */
function boundsOf(looks: readonly Picture[]): Uint8Array {
  const thumbnails = looks.map(thumbnail);
  return Uint8Array.from({ length: thumbnailSize.width * thumbnailSize.height }, (_, cell) => {
    const spreads = [0, 1, 2].map((color) => {
      const values = thumbnails.map(({ data }) => data[cell * 3 + color] ?? 0);
      return Math.max(...values) - Math.min(...values);
    });
    return Math.min(255, Math.max(24, 2 * Math.max(...spreads)));
  });
}

const size = { width: 860, height: 640 };
const before = aProgram({ size });
const recorded: ProgramState = { ...before, focused: "Reference" };
const guard = guardOf(recorded);

function guardOf(state: ProgramState): Guard {
  const screen = drawProgram(state);
  const part = changedRegion(drawProgram(before), screen);
  if (part === undefined) throw new Error("nothing changed");
  return { x: part.x, y: part.y, piece: crop(screen, part), thumbnail: thumbnail(screen) };
}

function look(state: Partial<ProgramState>, options?: GuardOptions) {
  return matchGuard(drawProgram({ ...recorded, ...state }), guard, options);
}

describe("a guard", () => {
  it("is matched on the recorded screen, also under noise", () => {
    expect(look({})).toEqual({ kind: "matched", score: 1 });
    expect(look({ noise: 2 })).toMatchObject({ kind: "matched" });
  });

  it("is matched where the window moved, if that is said", () => {
    const movedBy = { dx: 31, dy: -22 };
    expect(look({ movedBy }, { movedBy })).toMatchObject({ kind: "matched" });
    expect(look({ movedBy })).toMatchObject({ kind: "not_matched" });
    expect(look({}, { movedBy })).toMatchObject({ kind: "not_matched" });
  });

  it.each<[string, Partial<ProgramState>]>([
    ["no field has the focus", { focused: null }],
    ["another field has the focus", { focused: "Amount" }],
    ["the cursor is not there", { caret: false }],
    ["the field holds a text", { fields: { Reference: "4" } }],
    ["a dialog lies over it", { dialog: "plain", dialogAt: { x: 40, y: 160 } }],
    ["a dialog has dimmed it", { dialog: "dimmed" }],
    ["the window is closed", { isOpen: false }],
    ["the theme is another", { theme: "dark" }],
  ])("is not matched where %s", (_what, state) => {
    expect(look(state)).toMatchObject({ kind: "not_matched" });
  });

  it("is not matched where the rest of the screen is another, though its part is the same", () => {
    const dialog = { dialog: "plain", dialogAt: { x: 480, y: 420 }, theme: "light" } as const;
    const dark = drawProgram({ ...recorded, theme: "dark" });
    const screen = new Canvas(size.width, size.height);
    screen.data.set(dark.data);
    for (let y = 0; y < guard.piece.height; y += 1) {
      const row = crop(guard.piece, { x: 0, y, width: guard.piece.width, height: 1 }).data;
      screen.data.set(row, ((guard.y + y) * size.width + guard.x) * 3);
    }
    expect(matchGuard(screen, guard)).toMatchObject({ kind: "not_matched", reason: "other_screen" });
    expect(look(dialog)).toMatchObject({ kind: "not_matched", reason: "other_screen" });
  });

  it("does not see what is masked", () => {
    const place = fieldPlace(recorded, "Reference");
    const masks = [{ x: place.x + 4, y: place.y + 4, width: place.width - 8, height: place.height - 8 }];
    expect(look({ fields: { Reference: "4711" } }, { masks })).toMatchObject({ kind: "matched" });
    expect(look({ fields: { Reference: "4711" }, focused: null }, { masks })).toMatchObject({
      kind: "not_matched",
    });
    const movedBy = { dx: -18, dy: 12 };
    const moved = look({ fields: { Reference: "4711" }, movedBy }, { masks, movedBy });
    expect(moved).toMatchObject({ kind: "matched" });
  });

  it("may be flat, unlike an anchor", () => {
    const flat: Guard = { x: 100, y: 100, piece: new Canvas(96, 48, 0xf4f4f4) };
    expect(matchGuard(new Canvas(400, 300, 0xf4f4f4), flat)).toEqual({ kind: "matched", score: 1 });
    expect(matchGuard(new Canvas(400, 300, 0xe8e8e8), flat)).toMatchObject({ kind: "not_matched" });
  });

  it("is not matched where its place is beyond the screen", () => {
    const match = look({}, { movedBy: { dx: -900, dy: 0 } });
    expect(match).toEqual({ kind: "not_matched", reason: "wrong_size", score: 0 });
  });
});

describe("a thumbnail", () => {
  const screen = drawProgram(recorded);

  it("is the same with another line of text, and on a moved window only if that is said", () => {
    const typed = drawProgram({ ...recorded, fields: { Customer: "ACME" }, clock: "23:59" });
    expect(matchThumbnail(typed, thumbnail(screen))).toMatchObject({ isSame: true });
    const movedBy = { dx: 33, dy: -27 };
    const moved = drawProgram({ ...recorded, movedBy });
    expect(matchThumbnail(moved, thumbnail(screen)).isSame).toBe(false);
    expect(matchThumbnail(moved, thumbnail(screen), { movedBy })).toEqual({
      isSame: true,
      differingCells: 0,
    });
  });

  it.each<[string, Partial<ProgramState>]>([
    ["closed", { isOpen: false }],
    ["dimmed", { dialog: "dimmed" }],
    ["dark", { theme: "dark" }],
  ])("is another one where the window is %s, moved or not", (_what, state) => {
    const movedBy = { dx: 20, dy: 20 };
    const recordedOne = thumbnail(screen);
    expect(matchThumbnail(drawProgram({ ...recorded, ...state }), recordedOne).isSame).toBe(false);
    const moved = drawProgram({ ...recorded, ...state, movedBy });
    expect(matchThumbnail(moved, recordedOne, { movedBy }).isSame).toBe(false);
  });

  it("allows each cell what its bound says", () => {
    const playing = (color: number) => {
      const canvas = new Canvas(640, 400, 0xf4f4f4);
      canvas.fill({ x: 100, y: 100, width: 200, height: 100 }, color);
      return canvas;
    };
    const [dark, light, lighter] = [playing(0x202020), playing(0x808080), playing(0xa0a0a0)];
    const bounds = boundsOf([dark, light]);
    expect(matchThumbnail(lighter, thumbnail(dark), { bounds })).toMatchObject({ isSame: true });
    expect(matchThumbnail(lighter, thumbnail(dark)).isSame).toBe(false);
    const beside = playing(0x202020);
    beside.fill({ x: 400, y: 100, width: 200, height: 100 }, 0x202020);
    expect(matchThumbnail(beside, thumbnail(dark), { bounds }).isSame).toBe(false);
  });

  it("leaves out the cells that a mask touches", () => {
    const place = { x: 100, y: 100, width: 200, height: 100 };
    const changed = new Canvas(640, 400, 0xf4f4f4);
    changed.fill(place, 0x202020);
    const plain = thumbnail(new Canvas(640, 400, 0xf4f4f4));
    expect(matchThumbnail(changed, plain)).toEqual({ isSame: false, differingCells: 200 });
    expect(matchThumbnail(changed, plain, { masks: [place] })).toEqual({ isSame: true, differingCells: 0 });
  });
});
