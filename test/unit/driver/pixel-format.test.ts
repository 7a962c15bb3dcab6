import { describe, expect, it } from "vitest";
import { type PixelFormat, toFrame } from "../../../infra/driver/screens/x11/pixel-format.ts";

function format(bits: number, masks: readonly [number, number, number], isBigEndian = false): PixelFormat {
  const [redMask, greenMask, blueMask] = masks;
  const bytesPerRow = (width: number) => (Math.ceil((width * bits) / 32) * 32) / 8;
  return { bytesPerPixel: bits / 8, isBigEndian, redMask, greenMask, blueMask, bytesPerRow };
}

describe("the pixels of an X server", () => {
  const rgb = [0xff0000, 0xff00, 0xff] as const;

  it("are a frame's own where they are laid out like one", () => {
    const data = Uint8Array.of(3, 2, 1, 0, 6, 5, 4, 0);
    expect(toFrame({ width: 2, height: 1, data, format: format(32, rgb) }).pixels).toBe(data);
  });

  it.each([
    [
      "16 bits, rows filled up to four bytes",
      16,
      [0xf800, 0x07e0, 0x001f],
      [0x00, 0xf8, 9, 9],
      false,
      [0, 0, 255],
    ],
    ["24 bits", 24, rgb, [3, 2, 1, 9], false, [3, 2, 1]],
    ["30 bits of 32", 32, [0x3ff00000, 0xffc00, 0x3ff], [0xff, 0x03, 0, 0], false, [255, 0, 0]],
    ["the most significant byte first", 32, rgb, [0, 1, 2, 3], true, [3, 2, 1]],
  ] as const)("become blue, green, red: %s", (_name, bits, masks, bytes, isBigEndian, expected) => {
    const data = Uint8Array.from(bytes);
    const { pixels } = toFrame({ width: 1, height: 1, data, format: format(bits, masks, isBigEndian) });
    expect([...pixels.subarray(0, 3)]).toEqual(expected);
  });
});
