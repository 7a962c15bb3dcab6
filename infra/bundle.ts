import { mkdir, readdir, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { buildOptions } from "./bundle/build-options.ts";
import { writeConsoleFiles } from "./bundle/console-files.ts";
import { contractAsData } from "./bundle/contract-as-data.ts";
import { writeDocsFiles } from "./bundle/docs-files.ts";
import { durableImports } from "./bundle/durable-imports.ts";
import { laterModules } from "./bundle/later-modules.ts";
import { leaveOut } from "./bundle/leave-out.ts";
import { leftOut, leftOutWithTheChain } from "./bundle/left-out.ts";
import { buildParts, loadedLater, partsOf } from "./bundle/loaded-later.ts";
import { buildLoader, loaderName } from "./bundle/loader-file.ts";
import { plainResponses } from "./bundle/plain-responses.ts";
import { lazySchemas } from "./bundle/schemas/lazy-schemas.ts";
import { protocolSchemas } from "./bundle/schemas/protocol-schemas.ts";
import { shakableStrings } from "./bundle/schemas/shakable-strings.ts";
import { smallClients } from "./bundle/small-clients.ts";

const projectFolder = fileURLToPath(new URL("..", import.meta.url));

export const buildFolder = join(projectFolder, ".build");

export interface BundleOptions {
  /** The folder gets `functions/<name>/index.cjs`, the loader and other files beside it, and `meta.json`. @default buildFolder */
  readonly outDir?: string;
  /** Lambda puts credentials into the environment, so by default nothing else is read for them. */
  readonly withDefaultCredentialChain?: boolean;
  /** @default every `functions/<name>/index.ts` */
  readonly entryPoints?: Readonly<Record<string, string>>;
}

/** These bundles have the files beside them that they serve. */
const shippedWith: Readonly<Record<string, (folder: string) => Promise<void>>> = {
  [join(projectFolder, "functions", "docs", "index.ts")]: writeDocsFiles,
  [join(projectFolder, "functions", "console", "index.ts")]: writeConsoleFiles,
};

export interface Bundle {
  readonly name: string;
  readonly folder: string;
  readonly file: string;
  readonly bytes: number;
}

/** @throws esbuild's `BuildFailure` when a source does not compile or an import is missing. */
export async function bundleFunctions(options: BundleOptions = {}): Promise<readonly Bundle[]> {
  const outDir = resolve(options.outDir ?? buildFolder);
  const functionsDir = join(outDir, "functions");
  const entryPoints = options.entryPoints ?? (await functionEntryPoints());
  // Files of an earlier build would be shipped, too.
  for (const name of Object.keys(entryPoints))
    await rm(join(functionsDir, name), { recursive: true, force: true });
  const loader = buildLoader();
  const written = Object.entries(entryPoints).map(([name, source]) =>
    shippedWith[source]?.(join(functionsDir, name)),
  );
  const building = build({
    ...buildOptions,
    // The SDK compares every body with it, for which Node loads its web streams: 3 ms of the first request.
    define: { ...buildOptions.define, ReadableStream: "undefined" },
    entryPoints: Object.entries(entryPoints).map(([name, source]) => ({ in: source, out: `${name}/index` })),
    outdir: functionsDir,
    outExtension: { ".js": ".cjs" },
    metafile: true,
    plugins: [
      // This must come before the plugins that read every source.
      loadedLater,
      contractAsData,
      laterModules,
      leaveOut(options.withDefaultCredentialChain === true ? leftOut : [...leftOut, ...leftOutWithTheChain]),
      lazySchemas,
      protocolSchemas,
      shakableStrings,
      smallClients,
      plainResponses,
      durableImports,
    ],
  });
  const [result] = await Promise.all([building, ...written]);
  const parts = await buildParts(Object.values(result.metafile.outputs).flatMap(partsOf));

  const bundles: Bundle[] = [];
  for (const { path, contents } of result.outputFiles) {
    const folder = dirname(path);
    const beside = partsOf(result.metafile.outputs[relative(projectFolder, path)]);
    await mkdir(folder, { recursive: true });
    await writeFile(path, contents);
    await writeFile(join(folder, loaderName), await loader);
    for (const part of beside) await writeFile(join(folder, part), parts.get(part) ?? new Uint8Array());
    bundles.push({ name: basename(folder), folder, file: path, bytes: contents.byteLength });
  }
  await writeFile(join(outDir, "meta.json"), JSON.stringify(result.metafile));
  return bundles.sort((a, b) => a.name.localeCompare(b.name));
}

export async function functionEntryPoints(): Promise<Record<string, string>> {
  const folder = join(projectFolder, "functions");
  const entries: Record<string, string> = {};
  for (const { name } of (await readdir(folder, { withFileTypes: true })).filter((entry) =>
    entry.isDirectory(),
  )) {
    const source = join(folder, name, "index.ts");
    if (await isFile(source)) entries[name] = source;
  }
  return entries;
}

async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isFile() ?? false;
}

if (import.meta.main) {
  for (const { name, file, bytes } of await bundleFunctions()) {
    console.log(
      `${name.padEnd(24)} ${(bytes / 1000).toFixed(1).padStart(8)} KB  ${relative(projectFolder, file)}`,
    );
  }
}
