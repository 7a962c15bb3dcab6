import { realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "esbuild";

export interface LeftOut {
  /** The path is below `node_modules/`. */
  readonly file: string;
  readonly reason: string;
  /** The replaced file's importers need these exports, given as source text. */
  readonly instead?: Readonly<Record<string, string>>;
}

/** The bundler follows links. */
const packages = realpathSync(fileURLToPath(new URL("../../node_modules/", import.meta.url)));

/** The build fails if a file is gone or no longer exports what is replaced by name. */
export function leaveOut(modules: readonly LeftOut[]): Plugin {
  return {
    name: "leave-out",
    setup(plugin) {
      const contents = new Map(modules.map((module) => [join(packages, module.file), module]));
      const made = new Map<LeftOut, Promise<string>>();
      const contentsOf = (module: LeftOut): Promise<string> => {
        const known = made.get(module) ?? replacementOf(module);
        made.set(module, known);
        return known;
      };
      plugin.onStart(async () => {
        await Promise.all(modules.map(contentsOf));
      });
      for (const [path, module] of contents) {
        plugin.onLoad({ filter: exactly(path) }, async () => ({
          contents: await contentsOf(module),
          resolveDir: dirname(path),
        }));
      }
    },
  };
}

async function replacementOf({ file, reason, instead = {} }: LeftOut): Promise<string> {
  const names = await exportsOf(join(packages, file));
  const missing = Object.keys(instead).filter((name) => !names.includes(name));
  if (missing.length > 0) {
    throw new Error(`${file} does not export ${missing.join(", ")}; infra/bundle/left-out.ts replaces them`);
  }
  const message = JSON.stringify(`${file} is left out of the bundles (infra/bundle/left-out.ts): ${reason}`);
  const absent = names.filter((name) => !(name in instead));
  return [
    ...Object.values(instead),
    ...(absent.length === 0 ? [] : [`function absent() { throw new Error(${message}); }`]),
    ...absent.map((name) => `export { absent as ${name} };`),
  ].join("\n");
}

async function exportsOf(file: string): Promise<readonly string[]> {
  const { metafile } = await build({
    entryPoints: [file],
    bundle: false,
    write: false,
    metafile: true,
    format: "esm",
    logLevel: "silent",
  });
  return Object.values(metafile.outputs).flatMap((output) => output.exports);
}

function exactly(path: string): RegExp {
  return new RegExp(`^${path.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`);
}
