/** Rows start at the top; a pixel's four bytes are blue, green, red and one unused. */
export interface Frame {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

/** The colors are premultiplied ARGB (XFixes GetCursorImage). */
export interface PointerPicture {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly argb: Uint32Array;
}

/** A single side keeps the aspect ratio. */
export interface SizeWanted {
  readonly width?: number | undefined;
  readonly height?: number | undefined;
}

/** The engine keeps signed words as integers whatever the unused byte is. */
export function wordsOf({ width, height, pixels }: Frame): Int32Array {
  return new Int32Array(pixels.buffer, pixels.byteOffset, width * height);
}
