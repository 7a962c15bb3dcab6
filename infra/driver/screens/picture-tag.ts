import { hash } from "node:crypto";
import type { Frame, PointerPicture, SizeWanted } from "./pictures/frame.ts";

/** The first part changes with the whole screen, the second with what else decides about the picture's bytes. */
export interface PictureTag {
  readonly content: string;
  readonly form: string;
}

export interface PictureForm extends SizeWanted {
  readonly pointer?: PointerPicture | undefined;
}

const contentCharacters = 22;
const formCharacters = 11;

/** The display's pixels are hashed, because scaling or encoding them takes several times as long. */
export function contentOf({ width, height, pixels }: Frame): string {
  return `${width}x${height}-${hash("sha1", pixels, "base64url").slice(0, contentCharacters)}`;
}

export function formOf({ width, height, pointer }: PictureForm): string {
  if (width === undefined && height === undefined && pointer === undefined) return "";
  const { argb, ...place } = pointer ?? {};
  const image = argb && hash("sha1", new Uint8Array(argb.buffer, argb.byteOffset, argb.byteLength));
  return hash("sha1", JSON.stringify([width, height, place, image]), "base64url").slice(0, formCharacters);
}

export function formatTag({ content, form }: PictureTag): string {
  return `"${content}.${form}"`;
}

export function parseTags(header: string | undefined): readonly PictureTag[] {
  const tags = header?.matchAll(/"([^".]*)\.([^".]*)"/g) ?? [];
  return [...tags].map(([, content = "", form = ""]) => ({ content, form }));
}
