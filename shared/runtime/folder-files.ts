import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliDecompress, gzip } from "node:zlib";
import * as z from "zod";
import type { ShippedFile, ShippedFiles } from "../http/shipped/shipped-files.ts";
import type { Encoding } from "../vocabulary/files.ts";

/** The entity tags by the files' names. `infra/bundle` writes it beside the files; only listed files are ever read. */
const Manifest = z.record(z.string(), z.string());

type Content = Buffer<ArrayBuffer>;

/**
 * Files lie there in Brotli's form alone, which every browser takes; the others are made of it when they are first asked
 * for, since three forms would be three times the package. Each form is made once per instance.
 *
 * @throws {Error} when the folder has no manifest
 */
export function folderFiles(folder: string): ShippedFiles {
  const manifest = Manifest.parse(JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8")));
  const contents = new Map<string, Promise<Content>>();
  const contentOf = (name: string, form: Encoding | undefined): Promise<Content> => {
    const key = `${name} ${form}`;
    const known = contents.get(key);
    if (known !== undefined) return known;
    const content = make(name, form);
    contents.set(key, content);
    // The next request reads again what could not be read.
    content.catch(() => contents.delete(key));
    return content;
  };
  const make = async (name: string, form: Encoding | undefined): Promise<Content> => {
    if (form === "br") return await readFile(join(folder, name));
    if (form === "gzip") return (await promisify(gzip)(await contentOf(name, undefined))) as Content;
    return (await promisify(brotliDecompress)(await contentOf(name, "br"))) as Content;
  };
  return {
    find: (name): ShippedFile | undefined => {
      const etag = Object.hasOwn(manifest, name) ? manifest[name] : undefined;
      return etag === undefined ? undefined : { etag, read: (encoding) => contentOf(name, encoding) };
    },
  };
}
