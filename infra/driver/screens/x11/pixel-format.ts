import type { Frame } from "../pictures/frame.ts";
import type { Size } from "../screen.ts";
import { type DisplayConnection, DisplayUnavailable } from "./display-connection.ts";

export interface PixelFormat {
  readonly bytesPerPixel: number;
  readonly isBigEndian: boolean;
  readonly redMask: number;
  readonly greenMask: number;
  readonly blueMask: number;
  bytesPerRow(width: number): number;
}

/** @throws {DisplayUnavailable} for displays with a palette. */
export function pixelFormatOf({ display, screen }: DisplayConnection): PixelFormat {
  const layout = display.format[screen.root_depth];
  const visual = screen.depths[screen.root_depth]?.[screen.root_visual];
  const bits = layout?.bits_per_pixel ?? 0;
  if (layout === undefined || visual === undefined || visual.red_mask === 0 || ![16, 24, 32].includes(bits)) {
    throw new DisplayUnavailable(`the X display has ${screen.root_depth} bits a pixel, which cannot be read`);
  }
  return {
    bytesPerPixel: bits / 8,
    isBigEndian: display.image_byte_order === 1,
    redMask: visual.red_mask,
    greenMask: visual.green_mask,
    blueMask: visual.blue_mask,
    bytesPerRow: (width) => (Math.ceil((width * bits) / layout.scanline_pad) * layout.scanline_pad) / 8,
  };
}

export interface RawPicture extends Size {
  readonly data: Uint8Array;
  readonly format: PixelFormat;
}

/** Returns the same bytes where they are already blue, green, red, unused. */
export function toFrame({ width, height, data, format }: RawPicture): Frame {
  const { bytesPerPixel, isBigEndian, redMask, greenMask, blueMask } = format;
  const bytesPerRow = format.bytesPerRow(width);
  const isFrame =
    bytesPerPixel === 4 && !isBigEndian && redMask === 0xff0000 && greenMask === 0xff00 && blueMask === 0xff;
  if (isFrame && bytesPerRow === width * 4) return { width, height, pixels: data };
  const source = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  const pixels = new Uint8Array(width * height * 4);
  const channels = [channelOf(blueMask), channelOf(greenMask), channelOf(redMask)];
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = y * bytesPerRow + x * bytesPerPixel;
      const value = isBigEndian ? source.readUIntBE(at, bytesPerPixel) : source.readUIntLE(at, bytesPerPixel);
      const to = (y * width + x) * 4;
      for (const [index, read] of channels.entries()) pixels[to + index] = read(value);
    }
  }
  return { width, height, pixels };
}

function channelOf(mask: number): (value: number) => number {
  const shift = Math.log2(mask & -mask);
  const max = mask >>> shift;
  return (value) => Math.round((((value & mask) >>> shift) * 255) / max);
}
