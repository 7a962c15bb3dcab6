import { constants } from "node:fs";
import { access, mkdir } from "node:fs/promises";

/** @returns one sentence for a person, or undefined when files can be written in the folder, which is made. */
export async function findFolderProblem(folder: string, remedy: string): Promise<string | undefined> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await access(folder, constants.W_OK);
    return undefined;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    return `the folder ${folder} cannot be written (${code}): ${remedy}`;
  }
}
