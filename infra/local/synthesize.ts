import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { once } from "node:events";
import { startSupervised } from "./supervised-process.ts";

/** Whatever bundling and synthesis read. The local stack itself and what runs on desktops are no part of it. */
const INPUTS = ["functions", "shared", "infra", "package.json", "package-lock.json", "cdk.json"];
const NOT_INPUTS = new Set(["infra/local", "infra/driver", "infra/keys"]);

/** Assemblies kept; a stack that still runs reads its bundles from one of them. */
const KEPT = 5;

async function filesUnder(root: string, path: string): Promise<readonly string[]> {
  if (NOT_INPUTS.has(path)) return [];
  const found = await stat(join(root, path)).catch(() => undefined);
  if (found === undefined) return [];
  if (!found.isDirectory()) return [path];
  const names = await readdir(join(root, path));
  const nested = await Promise.all(names.sort().map((name) => filesUnder(root, `${path}/${name}`)));
  return nested.flat();
}

/** The same as long as neither a source nor the version of Node is another one. */
async function hashOfInputs(root: string): Promise<string> {
  const files = (await Promise.all(INPUTS.map((path) => filesUnder(root, path)))).flat();
  const contents = await Promise.all(files.map((file) => readFile(join(root, file))));
  const hash = createHash("sha256").update(process.version);
  for (const [at, file] of files.entries()) {
    hash.update(`\n${file} ${contents[at]?.length}\n`).update(contents[at] ?? "");
  }
  return hash.digest("hex").slice(0, 24);
}

async function removeOld(folder: string): Promise<void> {
  const names = await readdir(folder);
  const aged = await Promise.all(
    names.map(async (name) => ({ name, usedAtMs: (await stat(join(folder, name))).mtimeMs })),
  );
  const old = aged.sort((a, b) => b.usedAtMs - a.usedAtMs).slice(KEPT);
  await Promise.all(old.map(({ name }) => rm(join(folder, name), { recursive: true, force: true })));
}

async function runApp(root: string, outdir: string): Promise<void> {
  const app = startSupervised(process.execPath, [join(root, "infra", "app.ts")], {
    env: { ...process.env, CDK_OUTDIR: outdir },
  });
  if (!app.hasEnded()) await once(app.child, "close");
  if (app.child.exitCode !== 0) throw new Error(`the app does not synthesize: ${app.output().trim()}`);
}

export type Synthesis = {
  /** The cloud assembly, absolute. */
  readonly folder: string;
  readonly isCached: boolean;
};

/**
 * Bundles the functions and synthesizes the app, or finds that nothing has changed since that was last done.
 *
 * @param root of the project, absolute.
 * @throws {Error} with what the app printed, when it does not synthesize.
 */
export async function synthesize(root: string): Promise<Synthesis> {
  const folder = join(root, ".local", "assemblies");
  const result = join(folder, await hashOfInputs(root));
  if (existsSync(join(result, "manifest.json"))) {
    const now = new Date();
    await utimes(result, now, now);
    return { folder: result, isCached: true };
  }
  const draft = `${result}.${process.pid}.draft`;
  await mkdir(draft, { recursive: true });
  try {
    await runApp(root, draft);
    await rename(draft, result);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    // Another stack has made the same one meanwhile.
    if (existsSync(join(result, "manifest.json"))) return { folder: result, isCached: false };
    throw error;
  }
  await removeOld(folder);
  return { folder: result, isCached: false };
}
