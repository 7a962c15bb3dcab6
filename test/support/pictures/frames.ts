import type { Frame } from "../../../infra/driver/screens/pictures/frame.ts";

/** A frame from rows of colors, 0xRRGGBB. The unused byte is filled with noise that must not be visible. */
export function aFrame(rows: readonly (readonly number[])[]): Frame {
  const width = rows[0]?.length ?? 0;
  const words = Uint32Array.from(rows.flat(), (color) => color + 0xa5000000);
  return { width, height: rows.length, pixels: new Uint8Array(words.buffer) };
}

export function aFrameOf(width: number, height: number, color: (x: number, y: number) => number): Frame {
  return aFrame(
    Array.from({ length: height }, (_, y) => Array.from({ length: width }, (_, x) => color(x, y))),
  );
}

/** 0xRRGGBB, rows from the top. */
export function colorsOf({ pixels }: Frame): readonly number[] {
  const words = new Uint32Array(pixels.buffer, pixels.byteOffset, pixels.byteLength / 4);
  return Array.from(words, (word) => word & 0xffffff);
}

export function noise(x: number, y: number): number {
  const mixed = Math.imul(Math.imul(x + 1, 0x9e3779b1) ^ Math.imul(y + 1, 0x85ebca6b), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 15)) & 0xffffff;
}
