import type { FileStore, PresignedRequest } from "./file-store.ts";

/** Larger files need a link. */
export const downloadBytesMax = 4_194_304;

export const linkSeconds = 300;

export type FileDownload =
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  | { readonly kind: "link"; readonly link: PresignedRequest };

/** Returns undefined when there is no such object. */
export async function downloadFile(
  files: Pick<FileStore, "size" | "get" | "presignGet">,
  key: string,
  options: { readonly filename?: string } = {},
): Promise<FileDownload | undefined> {
  const size = await files.size(key);
  if (size === undefined) return undefined;
  if (size > downloadBytesMax) {
    return { kind: "link", link: await files.presignGet(key, { ...options, expiresInSeconds: linkSeconds }) };
  }
  const bytes = await files.get(key, downloadBytesMax);
  return bytes && { kind: "bytes", bytes };
}
