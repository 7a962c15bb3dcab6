import { fileURLToPath } from "node:url";
import type { BuildOptions, OutputFile } from "esbuild";
import type { ShippedSource } from "./shipped-files.ts";

export const projectFolder = fileURLToPath(new URL("../..", import.meta.url));

/** Bundles a page's script and styles, whose names have a hash, so that they may be cached for a year. */
export const browserBuild = {
  absWorkingDir: projectFolder,
  bundle: true,
  minify: true,
  format: "esm",
  platform: "browser",
  target: "es2023",
  outdir: "assets",
  entryNames: "[name]-[hash]",
  legalComments: "none",
  metafile: true,
  write: false,
  logLevel: "silent",
} as const satisfies BuildOptions;

export function asShipped({ path, contents }: OutputFile): ShippedSource {
  return { name: path.slice(projectFolder.length), read: async () => contents };
}
