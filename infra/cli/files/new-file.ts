import { type FileHandle, mkdir, open } from "node:fs/promises";
import { join } from "node:path";
import { numberedName, safeName } from "./safe-name.ts";

/** Opens a file that was not there; where the name is taken, it gets a number. @param name may be anything. */
export async function openNewFile(
  folder: string,
  name: string,
): Promise<{ readonly path: string; readonly file: FileHandle }> {
  await mkdir(folder, { recursive: true });
  for (let number = 1; ; number += 1) {
    const path = join(folder, numberedName(safeName(name), number));
    try {
      return { path, file: await open(path, "wx") };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
}
