import { type FileScope, makeFolder } from "../driver/desktops/file-access.ts";
import { writeToFile } from "../driver/desktops/write-to-file.ts";

const transfers = "~/Transfers";

export function createExport(scope: FileScope): (path: string, text: string) => Promise<void> {
  return async (path, text) => {
    await makeFolder(scope, transfers);
    await writeToFile(scope, path, "write", new TextEncoder().encode(text));
  };
}
