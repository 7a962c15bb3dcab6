import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Metafile, type Plugin } from "esbuild";

/** A part of the code beside a bundle, and is loaded when it is first needed. */
interface LoadedLater {
  /** Source, below the project's folder; imported by `import()` alone. */
  readonly source: string;
  /** In the folder of each bundle that imports it. */
  readonly file: string;
}

const projectFolder = fileURLToPath(new URL("../..", import.meta.url));

/** ajv: 160 KB and 10 ms, and most calls of a function that has it check nothing by a customer's schema. */
const parts: readonly LoadedLater[] = [{ source: "shared/schema/ajv-dialects.ts", file: "json-schema.cjs" }];

/** Leaves an `import()` of such a part to the running function, by the name of its file. */
export const loadedLater: Plugin = {
  name: "loaded-later",
  setup(plugin) {
    const files = new Map(parts.map(({ source, file }) => [join(projectFolder, source), `./${file}`]));
    plugin.onResolve({ filter: /^\.\.?\// }, ({ path, kind, resolveDir }) => {
      const file = kind === "dynamic-import" ? files.get(join(resolveDir, path)) : undefined;
      return file === undefined ? undefined : { path: file, external: true };
    });
  },
};

/** What the folder of that output needs beside it. */
export function partsOf(output: Metafile["outputs"][string] | undefined): readonly string[] {
  const imported = new Set(output?.imports.map(({ path }) => path));
  return parts.map(({ file }) => file).filter((file) => imported.has(`./${file}`));
}

/** Every part by the name of its file. */
export async function buildParts(): Promise<ReadonlyMap<string, Uint8Array>> {
  const built = parts.map(async ({ source, file }) => {
    const { outputFiles } = await build({
      absWorkingDir: projectFolder,
      entryPoints: [source],
      bundle: true,
      minify: true,
      platform: "node",
      target: "node24",
      format: "cjs",
      legalComments: "none",
      write: false,
      logLevel: "silent",
    });
    return [file, outputFiles[0]?.contents ?? new Uint8Array()] as const;
  });
  return new Map(await Promise.all(built));
}
