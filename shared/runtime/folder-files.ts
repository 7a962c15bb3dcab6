import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import type { ShippedFile, ShippedFiles } from "../http/shipped/shipped-files.ts";
import { type Encoding, encodingSuffixes } from "../vocabulary/files.ts";

/** `infra/bundle` writes the manifest beside the files; only listed files are ever read. */
const Manifest = z.record(
  z.string(),
  z.strictObject({
    content_type: z.string(),
    etag: z.string(),
    encodings: z.array(z.enum(Object.keys(encodingSuffixes) as [Encoding, ...Encoding[]])),
  }),
);

/** Each form of a file is read once per instance. @throws {Error} when the folder has no manifest */
export function folderFiles(folder: string): ShippedFiles {
  const manifest = Manifest.parse(JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8")));
  const contents = new Map<string, Promise<Buffer<ArrayBuffer>>>();
  const contentOf = (name: string): Promise<Buffer<ArrayBuffer>> => {
    const content = contents.get(name) ?? readFile(join(folder, name));
    contents.set(name, content);
    return content;
  };
  return {
    find: (name): ShippedFile | undefined => {
      const entry = Object.hasOwn(manifest, name) ? manifest[name] : undefined;
      if (entry === undefined) return undefined;
      return {
        contentType: entry.content_type,
        etag: entry.etag,
        encodings: entry.encodings,
        read: (encoding) => contentOf(encoding === undefined ? name : `${name}${encodingSuffixes[encoding]}`),
      };
    },
  };
}
