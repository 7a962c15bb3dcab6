import { describe, expect, it } from "vitest";
import { createPng } from "../../../../infra/driver/screens/pictures/png.ts";
import { decodePng } from "../../../support/pictures/decode-png.ts";
import { aFrameOf, colorsOf, noise } from "../../../support/pictures/frames.ts";

const none = 0;
const up = 2;
const average = 3;
const flat = () => 0x2e5266;

describe("a frame's PNG", () => {
  it.each([
    ["one pixel", 1, 1, noise],
    ["one row", 70, 1, noise],
    ["one column", 1, 70, noise],
    ["windows", 64, 48, (x: number, y: number) => (x > 20 && y > 10 ? 0xffffff : 0x123456)],
    ["a slope", 120, 80, (x: number, y: number) => (x << 16) | (y << 8) | ((x + y) & 0xff)],
    ["noise", 64, 48, noise],
    ["noise above windows", 64, 48, (x: number, y: number) => (y < 30 ? noise(x, y) : 0xff0000)],
    ["windows above noise", 64, 48, (x: number, y: number) => (y < 40 ? 0x0000ff : noise(x, y))],
  ])("shows %s pixel by pixel", (_what, width, height, color) => {
    const frame = aFrameOf(width, height, color);
    const { width: shownWidth, height: shownHeight, colors } = decodePng(createPng(frame));
    expect([shownWidth, shownHeight]).toEqual([width, height]);
    expect(colors).toEqual(colorsOf(frame));
  });

  it("has the rows of windows as they are", () => {
    const { filters } = decodePng(createPng(aFrameOf(50, 8, (x) => (x % 10 === 0 ? 0xffffff : 0))));
    expect(filters).toEqual(Array(8).fill(none));
  });

  it("has the rows of a photograph as differences, even where they are few", () => {
    const few = aFrameOf(50, 8, (x, y) => (y === 5 ? noise(x, y) : flat()));
    expect(decodePng(createPng(few)).filters).toEqual([none, none, none, none, none, average, none, none]);
    const all = aFrameOf(50, 8, noise);
    expect(decodePng(createPng(all)).filters).toEqual(Array(8).fill(average));
  });

  it("has the flat rows of a photograph as differences to the row above", () => {
    const frame = aFrameOf(50, 8, (x, y) => (y < 4 ? noise(x, y) : flat()));
    const { filters } = decodePng(createPng(frame));
    expect(filters.slice(0, 4)).toEqual(Array(4).fill(average));
    expect(filters.slice(5)).toEqual(Array(3).fill(up));
  });

  it("is a small part of a desktop's bytes, and of a soft photograph's at most two thirds", () => {
    const lines = aFrameOf(320, 200, (x, y) => (y % 20 < 3 && x % 9 < 5 ? 0x202020 : 0xf4f4f4));
    expect(createPng(lines).byteLength).toBeLessThan(320 * 200 * 0.03);
    const soft = (x: number, y: number) =>
      0x606060 + (noise(x, y) & 0x0f0f0f) + Math.floor(x / 12) * 0x010101;
    expect(createPng(aFrameOf(320, 200, soft)).byteLength).toBeLessThan(320 * 200 * 2);
  });

  it("is memory of its own, which can be handed to another thread", () => {
    const png = createPng(aFrameOf(3, 2, flat));
    expect([png.byteOffset, png.byteLength]).toEqual([0, png.buffer.byteLength]);
  });
});
