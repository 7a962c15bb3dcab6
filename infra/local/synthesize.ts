import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { mkdir, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import { startSupervised } from "./supervised-process.ts";

const inputs = ["functions", "shared", "infra", "package.json", "package-lock.json", "cdk.json"];
const notInputs = new Set(["infra/local", "infra/driver", "infra/keys"]);

/** Assemblies are kept this long, because a stack that still runs reads its bundles from one of them. */
const keptFiles = 5;
const keptMs = 7 * 24 * 3_600_000;

function filesUnder(root: string, path: string): readonly string[] {
  if (notInputs.has(path)) return [];
  const found = statSync(join(root, path), { throwIfNoEntry: false });
  if (found === undefined) return [];
  if (!found.isDirectory()) return [path];
  const names = readdirSync(join(root, path)).sort();
  return names.flatMap((name) => filesUnder(root, `${path}/${name}`));
}

/** Some 1,700 small files are read in a third of the time, and of the processor's, that it takes without blocking. */
function hashOfInputs(root: string): string {
  const hash = createHash("sha256").update(process.version);
  for (const file of inputs.flatMap((path) => filesUnder(root, path))) {
    const content = readFileSync(join(root, file));
    hash.update(`\n${file} ${content.length}\n`).update(content);
  }
  return hash.digest("hex").slice(0, 24);
}

async function removeOld(folder: string): Promise<void> {
  const names = await readdir(folder);
  const aged = await Promise.all(
    names.map(async (name) => ({ name, usedAtMs: (await stat(join(folder, name))).mtimeMs })),
  );
  const old = aged
    .sort((a, b) => b.usedAtMs - a.usedAtMs)
    .slice(keptFiles)
    .filter(({ usedAtMs }) => usedAtMs < Date.now() - keptMs);
  await Promise.all(old.map(({ name }) => rm(join(folder, name), { recursive: true, force: true })));
}

/** The variables `MALLOC_…` save memory of a process that stays, and cost a short one time. */
function ofProcessThatEnds(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith("MALLOC_")));
}

async function runApp(root: string, outdir: string, signal: AbortSignal | undefined): Promise<void> {
  const app = startSupervised(process.execPath, [join(root, "infra", "app.ts")], {
    env: {
      ...ofProcessThatEnds(process.env),
      CDK_OUTDIR: outdir,
      // They are for Lambda's architecture, and the start does not wait for them.
      CODE_CACHES: "none",
      // CloudFormation's rules and cdk-nag's take seconds. Tests of the stacks and each deployment check them.
      CDK_VALIDATION: "false",
      // The bundler ends too soon for collecting its garbage to pay.
      GOGC: "off",
    },
  });
  const stop = (): void => void app.stop();
  signal?.addEventListener("abort", stop, { once: true });
  if (signal?.aborted) stop();
  if (!app.hasEnded()) await once(app.child, "close");
  signal?.removeEventListener("abort", stop);
  signal?.throwIfAborted();
  if (app.child.exitCode !== 0) throw new Error(`the app does not synthesize: ${app.output().trim()}`);
}

/** @param result is named after the sources. */
async function make(root: string, result: string, signal: AbortSignal | undefined): Promise<string> {
  const folder = dirname(result);
  const draft = join(folder, `${randomUUID()}.draft`);
  await mkdir(draft, { recursive: true });
  try {
    await runApp(root, draft, signal);
    // A source saved meanwhile may be in the assembly or not.
    const now = join(folder, hashOfInputs(root));
    if (now !== result) return await make(root, now, signal);
    if (!isWhole(result)) await rename(draft, result);
    return result;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

function isWhole(folder: string): boolean {
  return existsSync(join(folder, "manifest.json"));
}

export type Synthesis = {
  readonly folder: string;
  readonly isCached: boolean;
};

/** @throws {Error} with what the app printed, when it does not synthesize. */
export async function synthesize(root: string, signal?: AbortSignal): Promise<Synthesis> {
  const folder = join(root, ".local", "assemblies");
  const known = join(folder, hashOfInputs(root));
  if (isWhole(known)) {
    const now = new Date();
    await utimes(known, now, now);
    return { folder: known, isCached: true };
  }
  const made = await make(root, known, signal);
  await removeOld(folder);
  return { folder: made, isCached: false };
}
