import { createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";

/** The folder beside a bundle with the files that its function serves. */
export const shippedFolder = "files";

export interface ShippedSource {
  readonly name: string;
  readonly read: () => Promise<Uint8Array>;
}

/** Writes each file compressed, and the manifest that `shared/runtime/folder-files.ts` reads. */
export async function writeShippedFiles(folder: string, files: readonly ShippedSource[]): Promise<void> {
  const target = join(folder, shippedFolder);
  await mkdir(target, { recursive: true });
  const entries = await Promise.all(files.map((file) => writeCompressed(target, file)));
  const manifest = JSON.stringify(Object.fromEntries(entries));
  await writeFile(join(target, "manifest.json"), manifest);
}

async function writeCompressed(target: string, { name, read }: ShippedSource) {
  const content = await read();
  await mkdir(dirname(join(target, name)), { recursive: true });
  await writeFile(join(target, name), await compress(content));
  const digest = createHash("sha256").update(content).digest("base64url").slice(0, 22);
  return [name, `W/"${digest}"`] as const;
}

/** Quality 9 would make the hundreds of pages smaller by a fiftieth, in fifteen times the time. */
async function compress(content: Uint8Array): Promise<Uint8Array> {
  return await promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });
}
