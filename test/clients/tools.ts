import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Workplace } from "./workplace.ts";

const pinned = fileURLToPath(new URL("tools", import.meta.url));

/** Each is a folder of commands, or rejects with `NotToBeHad`. */
export interface Tools {
  readonly npm: Promise<string>;
  readonly python: Promise<string>;
}

/** Begins to get the tools: they are apart from the project's own packages, since nothing else needs them. */
export function fetchTools(place: Workplace): Tools {
  const tools = { npm: fetchNpmTools(place), python: fetchPythonTools(place) };
  // What cannot be had is said by each client that needs it.
  for (const tool of Object.values(tools)) tool.catch(() => undefined);
  return tools;
}

async function fetchNpmTools(place: Workplace): Promise<string> {
  for (const name of ["package.json", "package-lock.json"]) {
    await copyFile(join(pinned, name), join(place.folder, name));
  }
  await place.fetch("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"]);
  return join(place.folder, "node_modules", ".bin");
}

/** The generator's Java program is in its package. */
async function fetchPythonTools(place: Workplace): Promise<string> {
  const bin = join(place.folder, "venv", "bin");
  await place.fetch("python3", ["-m", "venv", "venv"]);
  await place.fetch(join(bin, "pip"), [
    ...["install", "--quiet", "--no-compile", "--only-binary", ":all:"],
    ...["-r", join(pinned, "requirements.txt")],
  ]);
  return bin;
}
