import { hash } from "node:crypto";
import { crc32 } from "node:zlib";
import type { Frame, PointerPicture, SizeWanted } from "./pictures/frame.ts";

/** The first part changes with the whole screen, the second with what else decides about the picture's bytes. */
export interface PictureTag {
  readonly content: string;
  readonly form: string;
}

export interface PictureForm extends SizeWanted {
  readonly pointer?: PointerPicture | undefined;
}

const bands = 16;
const contentCharacters = 22;
const formCharacters = 11;

/**
 * The display's pixels are summed, because scaling or encoding them takes several times as long. A checksum misses one
 * change in four thousand million, and takes a quarter of the time of a digest; each band of the display has its own.
 */
export function contentOf({ width, height, pixels }: Frame): string {
  const bandBytes = Math.ceil(pixels.byteLength / bands);
  const sums = Uint32Array.from({ length: bands }, (_, band) =>
    crc32(pixels.subarray(band * bandBytes, (band + 1) * bandBytes)),
  );
  return `${width}x${height}-${digestOf(sums)}`;
}

export function formOf({ width, height, pointer }: PictureForm): string {
  if (width === undefined && height === undefined && pointer === undefined) return "";
  const { argb, ...place } = pointer ?? {};
  const image = argb && digestOf(argb);
  return hash("sha1", JSON.stringify([width, height, place, image]), "base64url").slice(0, formCharacters);
}

function digestOf(words: Uint32Array): string {
  const bytes = new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
  return hash("sha1", bytes, "base64url").slice(0, contentCharacters);
}

export function formatTag({ content, form }: PictureTag): string {
  return `"${content}.${form}"`;
}

export function parseTags(header: string | undefined): readonly PictureTag[] {
  const tags = header?.matchAll(/"([^".]*)\.([^".]*)"/g) ?? [];
  return [...tags].map(([, content = "", form = ""]) => ({ content, form }));
}
