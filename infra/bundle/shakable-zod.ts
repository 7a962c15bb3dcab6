import { readFile } from "node:fs/promises";
import type { Plugin } from "esbuild";
import { withLazySchemas } from "./lazy-schemas.ts";

/**
 * Schemas become lazy.
 *
 * The deprecated methods of strings that stand for schemas of their own (`z.string().email()` for `z.email()`) would
 * keep all 26 formats in every bundle that has a string; here they throw.
 */
export const shakableZod: Plugin = {
  name: "shakable-zod",
  setup(plugin) {
    plugin.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, "utf8");
      const hasSchemas = source.includes('import * as z from "zod"');
      return { contents: hasSchemas ? await withLazySchemas(source) : source, loader: "ts" };
    });
    plugin.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]classic[\\/]schemas\.js$/ }, async ({ path }) => ({
      contents: withoutFormatMethods(await readFile(path, "utf8"), path),
    }));
  },
};

const formatMethod = /^( {4}(\w+)\(params\) \{\n) {8}return this\.check\(core\._\w+\(Zod\w+, params\)\);$/gm;

function withoutFormatMethods(source: string, path: string): string {
  const all = source.match(/^ {8}return this\.check\(core\._\w+\(Zod/gm)?.length ?? 0;
  if (all === 0 || all !== source.match(formatMethod)?.length) {
    throw new Error(`${path} has no methods of formats where infra/bundle/shakable-zod.ts expects them`);
  }
  const absent = `function absentFormat(name) {
    throw new Error("z.string()." + name + "() is left out of the bundles (infra/bundle/shakable-zod.ts): use z." + name + "()");
}`;
  return `${source.replace(formatMethod, '$1        return absentFormat("$2");')}\n${absent}\n`;
}
