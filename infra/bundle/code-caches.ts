import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const program = fileURLToPath(new URL("./code-cache-program.ts", import.meta.url));

export interface CodeCacheOptions {
  /** V8 refuses a cache of another architecture. */
  readonly architecture: string;
  /** The command of the Node that makes the caches. @default the Node of this process */
  readonly node?: string | undefined;
}

/** Puts V8's code cache beside each bundle. @returns the Node that made them, undefined when it has another architecture */
export async function makeCodeCaches(
  folders: readonly string[],
  { architecture, node = process.execPath }: CodeCacheOptions,
): Promise<string | undefined> {
  const [command = "", ...parts] = node.split(" ");
  const options = [...parts, program, architecture, ...folders];
  const { stdout } = await promisify(execFile)(command, options, { maxBuffer: Number.POSITIVE_INFINITY });
  const maker = stdout.trim().split("\n").at(-1) ?? "";
  return maker.endsWith(` ${architecture}`) ? maker : undefined;
}
