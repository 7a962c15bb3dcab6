import { fileURLToPath } from "node:url";
import { build, type Metafile, type Plugin } from "esbuild";

const projectFolder = fileURLToPath(new URL("../../..", import.meta.url));

/** Without it the program would have the schemas of all operations, and zod. */
const operationsAsData: Plugin = {
  name: "operations-as-data",
  setup(plugin) {
    plugin.onLoad({ filter: /[\\/]described-operations\.ts$/ }, async () => {
      const { describedOperations } = await import("../operations/described-operations.ts");
      return {
        contents: `export const describedOperations = JSON.parse(${JSON.stringify(JSON.stringify(describedOperations))});`,
      };
    });
    // What the client knows of an operation is a part of its description.
    plugin.onLoad({ filter: /[\\/]called-operations\.ts$/ }, () => ({
      resolveDir: fileURLToPath(new URL("../operations", import.meta.url)),
      contents: `import { describedOperations } from "./described-operations.ts";
export const calledOperations = Object.fromEntries(describedOperations.map((each) => [each.id, each]));`,
    }));
  },
};

/** One file that any Node from 20.12 on runs. @returns what it is made of. */
export async function bundleCli(outfile: string, entryPoint = "infra/cli/main.ts"): Promise<Metafile> {
  const { metafile } = await build({
    absWorkingDir: projectFolder,
    entryPoints: [entryPoint],
    outfile,
    bundle: true,
    minify: true,
    keepNames: true,
    platform: "node",
    target: "node20.12",
    // Node starts it some milliseconds sooner than a module, and the parser is CommonJS itself.
    format: "cjs",
    banner: { js: "#!/usr/bin/env node" },
    legalComments: "none",
    define: {
      // The socket's optional native parts are no part of one file.
      "process.env.WS_NO_BUFFER_UTIL": '"1"',
      "process.env.WS_NO_UTF_8_VALIDATE": '"1"',
      // A package assigns to a variable that it does not declare, which strict code may not.
      UPNG: "globalThis.UPNG",
    },
    metafile: true,
    logLevel: "silent",
    plugins: [operationsAsData],
  });
  return metafile;
}
