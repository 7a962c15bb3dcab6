import { readFile, writeFile } from "node:fs/promises";

/** Writes a file unless it holds the same: what has not changed is not an asset to deploy again. */
export async function writeChanged(path: string, contents: Uint8Array): Promise<void> {
  const known = await readFile(path).catch(() => undefined);
  if (known === undefined || !known.equals(contents)) await writeFile(path, contents);
}
