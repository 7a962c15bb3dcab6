import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Metafile, type Plugin } from "esbuild";
import { buildOptions } from "./build-options.ts";
import { leaveOut } from "./leave-out.ts";
import { leftOutOfParts } from "./left-out.ts";
import { pureSchemas } from "./schemas/lazy-schemas.ts";

interface LoadedLater {
  readonly source: string;
  readonly placedBy: string;
  /** The source text that replaces `placedBy` in a bundle. */
  readonly placed: string;
  readonly file: string;
}

const projectFolder = fileURLToPath(new URL("../..", import.meta.url));

const parts: readonly LoadedLater[] = [
  // This keeps ajv's 160 KB and 10 ms from the calls that check nothing by a customer's schema.
  {
    source: "shared/schema/check-worker.ts",
    placedBy: "shared/schema/check-worker-file.ts",
    placed: 'export const checkWorkerFile = () => require.resolve("./json-schema.cjs");',
    file: "json-schema.cjs",
  },
  // This keeps the providers' 1.4 MB and 150 ms from replays, which use no model.
  {
    source: "shared/models/ai-language-models.ts",
    placedBy: "shared/models/load-ai-language-models.ts",
    placed: 'export const loadAiLanguageModels = async () => require("./language-models.cjs");',
    file: "language-models.cjs",
  },
  // The synthetic run's driver encodes its screen in a thread.
  {
    source: "infra/driver/screens/pictures/picture-worker.ts",
    placedBy: "infra/driver/screens/pictures/picture-worker-file.ts",
    placed: 'export const pictureWorkerFile = require.resolve("./picture-worker.cjs");',
    file: "picture-worker.cjs",
  },
];

export const loadedLater: Plugin = {
  name: "loaded-later",
  setup(plugin) {
    for (const { placedBy, placed } of parts) {
      const source = join(projectFolder, placedBy);
      plugin.onLoad({ filter: new RegExp(`${basename(placedBy)}$`) }, ({ path }) =>
        path === source ? { contents: placed, loader: "js" } : undefined,
      );
    }
    for (const { file } of parts) {
      plugin.onResolve({ filter: new RegExp(`^\\./${file}$`) }, ({ path }) => ({ path, external: true }));
    }
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
      ...buildOptions,
      entryPoints: [source],
      plugins: [leaveOut(leftOutOfParts), pureSchemas],
    });
    return [file, outputFiles[0]?.contents ?? new Uint8Array()] as const;
  });
  return new Map(await Promise.all(built));
}
