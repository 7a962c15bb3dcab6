import type { FileStore } from "../file-store.ts";

/** Removes a response after it is read, because it may be private; otherwise it expires within a day. */
export async function removeRead(
  files: Pick<FileStore, "remove">,
  response: { readonly kind: string; readonly key?: string },
): Promise<void> {
  if (response.kind !== "stored" || response.key === undefined) return;
  await files.remove(response.key).catch(() => undefined);
}
