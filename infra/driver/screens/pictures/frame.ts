/** A display's picture: rows from the top, four bytes per pixel: blue, green, red, one unused. */
export interface Frame {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

/** The pointer's picture, its upper left corner on the display, premultiplied ARGB (XFixes GetCursorImage). */
export interface PointerPicture {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly argb: Uint32Array;
}

/** Pixels to scale to; one alone keeps the shape, none is the frame's own size. */
export interface SizeWanted {
  readonly width?: number | undefined;
  readonly height?: number | undefined;
}

/**
 * A pixel's four bytes as one number, 0xRRGGBB below the unused byte; shares the frame's memory. Signed, because the
 * engine keeps such numbers as integers whatever the unused byte is.
 */
export function wordsOf({ width, height, pixels }: Frame): Int32Array {
  return new Int32Array(pixels.buffer, pixels.byteOffset, width * height);
}
