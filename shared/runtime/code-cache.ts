import { hash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Script } from "node:vm";

const bundleName = "index.cjs";
export const codeCacheName = "index.cache";

/** V8 does not check the content of a cache, and a damaged one would end the process: the file begins with a digest. */
const digestBytes = 32;

/** Node wraps every CommonJS module in the same function. */
const wrapper = "(function (exports, require, module, __filename, __dirname) { ";

/** V8 refuses a cache that was made with other flags, and Lambda's start script gives Node this one. */
const flag = "--expose-gc";

interface LoadedBundle {
  readonly exports: unknown;
  readonly script: Script;
}

/** Loads the folder's bundle as `require`, which must be that folder's, would. */
export function loadBundle(folder: string, require: NodeJS.Require, cachedData?: Buffer): LoadedBundle {
  if (!("gc" in globalThis)) process.getBuiltinModule("node:v8").setFlagsFromString(flag);
  const file = join(folder, bundleName);
  const script = new Script(`${wrapper}${readFileSync(file, "utf8")}\n})`, {
    filename: file,
    columnOffset: -wrapper.length,
    cachedData,
  });
  const module = { exports: {} };
  script.runInThisContext()(module.exports, require, module, file, folder);
  return { exports: module.exports, script };
}

export function readCodeCache(folder: string): Buffer | "missing" | "damaged" {
  let content: Buffer;
  try {
    content = readFileSync(join(folder, codeCacheName));
  } catch {
    return "missing";
  }
  const data = content.subarray(digestBytes);
  return digestOf(data).equals(content.subarray(0, digestBytes)) ? data : "damaged";
}

/** The cache is made after the bundle was loaded, so that it includes the functions compiled meanwhile. */
export function writeCodeCache(folder: string, require: NodeJS.Require): void {
  const data = loadBundle(folder, require).script.createCachedData();
  writeFileSync(join(folder, codeCacheName), Buffer.concat([digestOf(data), data]));
}

function digestOf(data: Buffer): Buffer {
  return hash("sha256", data, "buffer");
}
