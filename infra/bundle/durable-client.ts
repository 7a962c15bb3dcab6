import { readFile } from "node:fs/promises";
import type { Plugin } from "esbuild";

const imported = "import('@aws-sdk/client-lambda')";

/**
 * The durable SDK imports the whole client of Lambda dynamically, which no bundler can shake, nor what that client
 * shares with others. The names that it uses, imported statically, save 200 KB and some 10 ms in each durable function.
 */
export const durableClient: Plugin = {
  name: "durable-client",
  setup(plugin) {
    const filter = /[\\/]@aws[\\/]durable-execution-sdk-js[\\/]dist[\\/]index\.mjs$/;
    plugin.onLoad({ filter }, async ({ path }) => {
      const source = await readFile(path, "utf8");
      const used = new Set([...source.matchAll(/\bnew module\.(\w+)\(/g)].map(([, name]) => name));
      if (used.size === 0 || !source.includes(imported))
        throw new Error(`${path} no longer has ${imported}, which infra/bundle/durable-client.ts replaces`);
      const names = `{ ${[...used].join(", ")} }`;
      return {
        contents: `import ${names} from "@aws-sdk/client-lambda";\n${source.replace(imported, `Promise.resolve(${names})`)}`,
      };
    });
  },
};
