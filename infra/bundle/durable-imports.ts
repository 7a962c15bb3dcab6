import { readFile } from "node:fs/promises";
import type { Plugin } from "esbuild";

const file = /[\\/]@aws[\\/]durable-execution-sdk-js[\\/]dist[\\/]index\.mjs$/;

const lambdaImport = "import('@aws-sdk/client-lambda')";
const utilImport = "import util from 'node:util';";

/** The durable SDK imports two modules whole and uses few of their names; the build fails when it no longer does. */
export const durableImports: Plugin = {
  name: "durable-imports",
  setup(plugin) {
    plugin.onLoad({ filter: file }, async ({ path }) => {
      const source = await readFile(path, "utf8");
      const used = new Set([...source.matchAll(/\bnew module\.(\w+)\(/g)].map(([, name]) => name));
      if (used.size === 0 || ![lambdaImport, utilImport].every((text) => source.includes(text)))
        throw new Error(`${path} has other imports than those that infra/bundle/durable-imports.ts replaces`);
      const names = `{ ${[...used].join(", ")} }`;
      const contents = source
        // A dynamic import cannot be shaken, nor the modules that it shares with other clients: 67 KB and some 8 ms.
        .replace(lambdaImport, `Promise.resolve(${names})`)
        // A bundle copies a default import's properties, for which Node loads worker threads and more: 3 ms.
        .replace(utilImport, "const util = process.getBuiltinModule('node:util');");
      return { contents: `import ${names} from "@aws-sdk/client-lambda";\n${contents}` };
    });
  },
};
