import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, realpathSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const packageFolder = fileURLToPath(new URL("../../../infra/cli", import.meta.url));

export interface PackedCli {
  readonly program: string;
  /** The files of the package, as they were installed. */
  readonly files: readonly string[];
  /** An empty folder, for the configuration of each use. */
  readonly folder: string;
  remove(): Promise<void>;
}

/** Packs `infra/cli` as for a registry, and installs that into an empty folder, without a network. */
export async function packCli(): Promise<PackedCli> {
  const folder = await mkdtemp(join(tmpdir(), "packed-cli-"));
  await run("npm", ["pack", "--pack-destination", folder], { cwd: packageFolder });
  const [tarball = ""] = await readdir(folder);
  await run("npm", ["install", "--offline", "--no-audit", "--no-fund", join(folder, tarball)], {
    cwd: folder,
  });
  const installed = join(folder, "node_modules", "@desktop-automation-service", "das");
  const found = await readdir(installed, { recursive: true, withFileTypes: true });
  return {
    program: join(folder, "node_modules", ".bin", "das"),
    files: found
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name).slice(installed.length + 1))
      .toSorted(),
    folder,
    remove: async () => await rm(folder, { recursive: true }),
  };
}

/** This process's Node, and the one that the machine has beside it, if any. */
export function installedNodes(): readonly string[] {
  const beside = (process.env.PATH ?? "")
    .split(delimiter)
    .map((folder) => join(folder, "node"))
    .filter((path) => existsSync(path) && !realpathSync(path).includes("node_modules"))
    .map((path) => realpathSync(path));
  return [...new Set([process.execPath, ...beside])];
}

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

interface StartOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly folder: string;
  readonly input?: string;
}

/** Runs a program to its end. */
export async function ending(
  program: string,
  line: readonly string[],
  { environment, folder, input = "" }: StartOptions,
): Promise<Ended> {
  const child = spawn(program, line, { cwd: folder, env: environment });
  child.stdin.end(input);
  const [out, err, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  return { code: code as number | null, out, err };
}
