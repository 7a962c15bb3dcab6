import type { ImageType } from "../../vocabulary/files.ts";
import type { OrganizationId } from "../organization-id.ts";

/** A picture that prompts name as `![…](image:<id>)`, and that the model sees there. It never changes. */
export interface PromptImage {
  readonly id: string;
  readonly organizationId: OrganizationId;
  readonly userId: string;
  readonly filename: string;
  /** The content decides the type, whatever the file's name says. */
  readonly contentType: ImageType;
  readonly sizeBytes: number;
  readonly key: string;
  readonly createdAt: string;
}

export const promptImagesMax = 1_000;

const imageId = "([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})";

/** As in Markdown, or as in HTML, whose attributes are few. */
const marker = new RegExp(
  `!\\[[^\\]]*\\]\\(image:${imageId}\\)|<img\\s[^>]{0,500}?\\bsrc=["']image:${imageId}["'][^>]{0,500}>`,
  "gi",
);

export function partsOfPrompt(text: string): readonly (string | { readonly imageId: string })[] {
  const parts: (string | { readonly imageId: string })[] = [];
  let from = 0;
  for (const { index: at, 0: whole, 1: inMarkdown, 2: id = inMarkdown ?? "" } of text.matchAll(marker)) {
    parts.push(text.slice(from, at), { imageId: id.toLowerCase() });
    from = at + whole.length;
  }
  return [...parts, text.slice(from)].filter((part) => part !== "");
}

export function imageIdsIn(text: string): readonly string[] {
  return [
    ...new Set(partsOfPrompt(text).flatMap((part) => (typeof part === "string" ? [] : [part.imageId]))),
  ];
}

/** A path that is none of an image's is an id that no image has. */
export function imageIdAt(path: string): string {
  return new RegExp(`^(?:image:)?${imageId}$`, "i").exec(path)?.[1]?.toLowerCase() ?? nilUuid;
}

const nilUuid = "00000000-0000-0000-0000-000000000000";

export function imageTypeOf(bytes: Uint8Array): ImageType | undefined {
  const latin = String.fromCharCode(...bytes.subarray(0, 16));
  if (latin.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (latin.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (/^GIF8[79]a/.test(latin)) return "image/gif";
  return /^RIFF[\s\S]{4}WEBPVP8/.test(latin) ? "image/webp" : undefined;
}

const typesByExtension: Readonly<Record<string, ImageType>> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
};

export function imageTypeOfName(filename: string): ImageType | undefined {
  return typesByExtension[filename.split(".").at(-1)?.toLowerCase() ?? ""];
}
