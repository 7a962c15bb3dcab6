import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Plugin } from "esbuild";

const replacement = fileURLToPath(new URL("../../shared/http/plain-messages.ts", import.meta.url));
const imported = `import { PlainHeaders as Headers, PlainResponse as Response } from ${JSON.stringify(replacement)};`;

/** Keeps Node's `fetch`, and so 20 ms, from the first request of each function with a route. */
export const plainResponses: Plugin = {
  name: "plain-responses",
  setup(plugin) {
    plugin.onLoad({ filter: /[\\/]hono[\\/]dist[\\/](?:context|hono-base)\.js$/ }, async ({ path }) => ({
      contents: `${imported}\n${await readFile(path, "utf8")}`,
    }));
  },
};
