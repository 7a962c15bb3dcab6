import { open } from "node:fs/promises";
import { UsageError } from "./driver-arguments.ts";

/** Of group and others, any permission. */
const othersMask = 0o077;

/**
 * Reads a file that only the driver's user may open. Windows has no such modes.
 *
 * @param what the file is, for the sentence.
 * @throws {UsageError} when others may open it, too.
 */
export async function readPrivateFile(file: string, what: string): Promise<string> {
  const handle = await open(file);
  try {
    const { mode } = await handle.stat();
    if (process.platform !== "win32" && (mode & othersMask) !== 0) {
      throw new UsageError(
        `the ${what} ${file} is open to other users: chmod 600 it, and renew what is in it`,
      );
    }
    return (await handle.readFile("utf8")).trim();
  } finally {
    await handle.close();
  }
}
