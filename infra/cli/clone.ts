import { existsSync, mkdirSync, readdirSync, renameSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** `npm run das`: the same file as the package's, made anew when what it is made of has changed. */
const projectFolder = fileURLToPath(new URL("../..", import.meta.url));
const bundle = join(projectFolder, ".local", "cli", "das.cjs");
const sources = ["infra/cli", "shared/client", "shared/contract", "shared/vocabulary", "package-lock.json"];

/** A folder's own time changes when a file in it goes. */
function changedMs(path: string): number {
  const { mtimeMs } = statSync(path);
  const inside = statSync(path).isDirectory() ? readdirSync(path, { withFileTypes: true }) : [];
  return Math.max(mtimeMs, ...inside.map(({ name }) => (name === "dist" ? 0 : changedMs(join(path, name)))));
}

function isFresh(): boolean {
  if (!existsSync(bundle)) return false;
  const madeMs = statSync(bundle).mtimeMs;
  return sources.every((source) => changedMs(join(projectFolder, source)) < madeMs);
}

if (!isFresh()) {
  const { bundleCli } = await import("./build/bundle-cli.ts");
  mkdirSync(dirname(bundle), { recursive: true });
  const made = `${bundle}.${process.pid}`;
  await bundleCli(made);
  renameSync(made, bundle);
}
// npm runs scripts in the project's folder; files are named from where it was called.
process.chdir(process.env.INIT_CWD ?? process.cwd());
await import(pathToFileURL(bundle).href);
