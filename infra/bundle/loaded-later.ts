import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Metafile, type Plugin } from "esbuild";
import { pureSchemas } from "./lazy-schemas.ts";
import { leaveOut } from "./leave-out.ts";
import { leftOutOfParts } from "./left-out.ts";

interface LoadedLater {
  readonly source: string;
  readonly placedBy: string;
  readonly place: string;
  readonly file: string;
}

const projectFolder = fileURLToPath(new URL("../..", import.meta.url));

const parts: readonly LoadedLater[] = [
  // This keeps ajv's 160 KB and 10 ms from the calls that check nothing by a customer's schema.
  {
    source: "shared/schema/check-worker.ts",
    placedBy: "shared/schema/check-worker-file.ts",
    place: "checkWorkerFile",
    file: "json-schema.cjs",
  },
  // This keeps the providers' 1.4 MB and 150 ms from replays, which use no model.
  {
    source: "shared/models/ai-language-models.ts",
    placedBy: "shared/models/ai-language-models-file.ts",
    place: "aiLanguageModelsFile",
    file: "language-models.cjs",
  },
];

export const loadedLater: Plugin = {
  name: "loaded-later",
  setup(plugin) {
    for (const { placedBy, place, file } of parts) {
      const source = join(projectFolder, placedBy);
      plugin.onLoad({ filter: new RegExp(`${basename(placedBy)}$`) }, ({ path }) =>
        path === source
          ? { contents: `export const ${place} = require.resolve("./${file}");`, loader: "js" }
          : undefined,
      );
    }
    plugin.onResolve({ filter: /^\.\/[\w-]+\.cjs$/ }, ({ path, kind }) =>
      kind === "require-resolve" ? { path, external: true } : undefined,
    );
  },
};

export function partsOf(output: Metafile["outputs"][string] | undefined): readonly string[] {
  const imported = new Set(output?.imports.map(({ path }) => path));
  return parts.map(({ file }) => file).filter((file) => imported.has(`./${file}`));
}

export async function buildParts(files: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>> {
  const needed = parts.filter(({ file }) => files.includes(file));
  const built = needed.map(async ({ source, file }) => {
    const { outputFiles } = await build({
      absWorkingDir: projectFolder,
      entryPoints: [source],
      bundle: true,
      minify: true,
      platform: "node",
      target: "node24",
      format: "cjs",
      mainFields: ["module", "main"],
      define: { "process.env.NODE_ENV": '"production"', navigator: "undefined" },
      plugins: [leaveOut(leftOutOfParts), pureSchemas],
      legalComments: "none",
      write: false,
      logLevel: "silent",
    });
    return [file, outputFiles[0]?.contents ?? new Uint8Array()] as const;
  });
  return new Map(await Promise.all(built));
}
