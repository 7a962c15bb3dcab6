import { fileURLToPath } from "node:url";
import type { Plugin } from "esbuild";

const replacement = fileURLToPath(new URL("./zod.ts", import.meta.url));

/**
 * Saves 10 KB in every function: the 26 formats of strings, of which it uses four. A deprecated method that is called
 * all the same is not there, and its schema throws when it is made.
 */
export const shakableStrings: Plugin = {
  name: "shakable-strings",
  setup(plugin) {
    plugin.onResolve({ filter: /^zod$/ }, () => ({ path: replacement, sideEffects: false }));
  },
};
