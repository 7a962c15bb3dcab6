import type { FileStore } from "../file-store.ts";

/**
 * Removes a driver's response that was read and is needed no more: it may show what nobody is to see. One that cannot be
 * removed expires by the bucket's own rule, within a day.
 */
export async function removeRead(
  files: Pick<FileStore, "remove">,
  response: { readonly kind: string; readonly key?: string },
): Promise<void> {
  if (response.kind !== "stored" || response.key === undefined) return;
  await files.remove(response.key).catch(() => undefined);
}
