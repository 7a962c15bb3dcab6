import { readFile, writeFile } from "node:fs/promises";

export async function writeChanged(path: string, contents: Uint8Array): Promise<void> {
  const known = await readFile(path).catch(() => undefined);
  if (known === undefined || !known.equals(contents)) await writeFile(path, contents);
}
