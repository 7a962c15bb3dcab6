import { createHash } from "node:crypto";
import { mkdir, readdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { type Encoding, encodingSuffixes } from "../../shared/vocabulary/files.ts";
import { writeChanged } from "./write-changed.ts";

/** The folder beside a bundle with the files that its function serves. */
export const shippedFolder = "files";

export const html = "text/html; charset=utf-8";
export const javascript = "text/javascript; charset=utf-8";
export const css = "text/css; charset=utf-8";

export interface ShippedSource {
  readonly name: string;
  readonly contentType: string;
  readonly read: () => Promise<Uint8Array>;
}

const encodings = Object.keys(encodingSuffixes) as Encoding[];

/** Writes each file in all its forms, and the manifest that `shared/runtime/folder-files.ts` reads. */
export async function writeShippedFiles(folder: string, files: readonly ShippedSource[]): Promise<void> {
  const target = join(folder, shippedFolder);
  await mkdir(target, { recursive: true });
  const entries = await Promise.all(files.map((file) => writeForms(target, file)));
  const manifest = JSON.stringify(Object.fromEntries(entries));
  await writeChanged(join(target, "manifest.json"), Buffer.from(manifest));
  await removeOthers(target, new Set(files.flatMap(({ name }) => formsOf(name))));
}

function formsOf(name: string): readonly string[] {
  return ["", ...Object.values(encodingSuffixes)].map((suffix) => name + suffix);
}

/** Names with a hash would pile up, and all be shipped. */
async function removeOthers(target: string, written: ReadonlySet<string>): Promise<void> {
  for (const entry of await readdir(target, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(target.length + 1);
    if (entry.isFile() && name !== "manifest.json" && !written.has(name)) await rm(path);
  }
}

async function writeForms(target: string, { name, contentType, read }: ShippedSource) {
  const content = await read();
  const compress = { br: () => compressBrotli(content), gzip: () => promisify(gzip)(content, { level: 9 }) };
  await mkdir(dirname(join(target, name)), { recursive: true });
  await Promise.all([
    writeChanged(join(target, name), content),
    ...encodings.map(async (encoding) =>
      writeChanged(join(target, name + encodingSuffixes[encoding]), await compress[encoding]()),
    ),
  ]);
  const digest = createHash("sha256").update(content).digest("base64url").slice(0, 22);
  return [name, { content_type: contentType, etag: `W/"${digest}"`, encodings }] as const;
}

/** The highest quality takes ten times as long for a few percent. */
async function compressBrotli(content: Uint8Array): Promise<Uint8Array> {
  return await promisify(brotliCompress)(content, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 9,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    },
  });
}
