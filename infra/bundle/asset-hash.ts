import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { codeCacheName } from "../../shared/runtime/code-cache.ts";

/**
 * The same for the same sources: V8 never makes a cache twice with the same bytes, and a function would be deployed
 * again with each build.
 */
export function assetHash(folder: string, codeCacheMaker: string | undefined): string {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && entry.name !== codeCacheName)
    .map((entry) => join(entry.parentPath, entry.name));
  const hash = createHash("sha256").update(`${codeCacheMaker}\n`);
  for (const file of files.sort()) {
    const content = readFileSync(file);
    hash.update(`${file.slice(folder.length)} ${content.byteLength}\n`).update(content);
  }
  return hash.digest("hex");
}
