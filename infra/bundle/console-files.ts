import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { build, type Metafile } from "esbuild";
import { asShipped, browserBuild, projectFolder } from "./browser-build.ts";
import { contractAsData } from "./contract-as-data.ts";
import { type ShippedSource, writeShippedFiles } from "./shipped-files.ts";

const page = join(projectFolder, "functions", "console", "page");
const entryPoint = "functions/console/page/main.tsx";

interface ConsoleBuild {
  readonly files: readonly ShippedSource[];
  /** The files that the page loads before it shows anything. */
  readonly firstLoad: readonly string[];
  /** What the page is made of, by paths from the project's folder. */
  readonly sources: readonly string[];
}

/** Each section of the page is a file of its own, loaded when it is opened. */
export async function buildConsole(): Promise<ConsoleBuild> {
  const { outputFiles, metafile } = await build({
    ...browserBuild,
    entryPoints: [entryPoint],
    splitting: true,
    jsx: "automatic",
    jsxImportSource: "preact",
    chunkNames: "[name]-[hash]",
    assetNames: "[name]-[hash]",
    define: { "process.env.NODE_ENV": '"production"' },
    plugins: [contractAsData],
  });
  const first = firstOutputs(metafile);
  const index = await readFile(join(page, "index.html"), "utf8");
  const tags = first.scripts.map((path, at) =>
    at === 0
      ? `<script type="module" src="/console/${path}"></script>`
      : `<link rel="modulepreload" href="/console/${path}" />`,
  );
  const styles = first.styles.map((path) => `<link rel="stylesheet" href="/console/${path}" />`);
  const whole = index.replace("<!-- files -->", [...styles, ...tags].join("\n    "));
  const shown = { name: "index.html", read: async () => new TextEncoder().encode(whole) };
  return {
    files: [shown, ...outputFiles.map(asShipped)],
    firstLoad: ["index.html", ...first.scripts, ...first.styles],
    sources: Object.keys(metafile.inputs),
  };
}

export async function writeConsoleFiles(folder: string): Promise<void> {
  await writeShippedFiles(folder, (await buildConsole()).files);
}

/** The entry's script first, then those that it imports at once. */
function firstOutputs({ outputs }: Metafile): {
  readonly scripts: readonly string[];
  readonly styles: readonly string[];
} {
  const entry = Object.entries(outputs).find(([, output]) => output.entryPoint === entryPoint);
  if (entry === undefined) throw new Error("the console's page has no script");
  const scripts = new Set<string>();
  const add = (path: string) => {
    if (scripts.has(path)) return;
    scripts.add(path);
    for (const imported of outputs[path]?.imports ?? []) {
      if (imported.kind === "import-statement") add(imported.path);
    }
  };
  add(entry[0]);
  const { cssBundle } = entry[1];
  return { scripts: [...scripts], styles: cssBundle === undefined ? [] : [cssBundle] };
}
