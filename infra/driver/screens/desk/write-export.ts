import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { FileScope } from "../../desktops/file-access.ts";
import { writeToFile } from "../../desktops/write-to-file.ts";

const transfers = "Transfers";

/** What writes the program's exports where callers may write files, too; `~` is that folder. */
export function createExport(scope: FileScope): (path: string, text: string) => Promise<void> {
  return async (path, text) => {
    await mkdir(join(scope.root, transfers), { recursive: true, mode: 0o700 });
    await writeToFile(scope, path.replace(/^~\//, ""), "write", new TextEncoder().encode(text));
  };
}
