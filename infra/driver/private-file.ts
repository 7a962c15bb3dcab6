import { type FileHandle, open, rename } from "node:fs/promises";
import { UsageError } from "./driver-arguments.ts";

const othersMask = 0o077;
const othersWriteMask = 0o022;
const rootUid = 0;

/** Windows has no such modes. @throws {UsageError} when others may open the file, too. */
export async function readPrivateFile(file: string, what: string): Promise<string> {
  return await readChecked(file, async (handle) => {
    const { mode } = await handle.stat();
    if (!hasModes || (mode & othersMask) === 0) return undefined;
    return `the ${what} ${file} is open to other users: chmod 600 it, and renew what is in it`;
  });
}

/** @throws {UsageError} when others than the driver's user or root may change the file. */
export async function readGuardedFile(file: string, what: string): Promise<string> {
  return await readChecked(file, async (handle) => {
    const { mode, uid } = await handle.stat();
    if (!hasModes) return undefined;
    if ((mode & othersWriteMask) !== 0) {
      return `the ${what} ${file} may be changed by other users: chmod go-w it, and look at what is in it`;
    }
    const isOwn = uid === process.getuid?.() || uid === rootUid;
    return isOwn ? undefined : `the ${what} ${file} belongs to another user, who may change it`;
  });
}

/** A crash leaves the old content or the new one; the draft is the file with `.new`. */
export async function writePrivateFile(file: string, content: string): Promise<void> {
  const draft = `${file}.new`;
  const handle = await open(draft, "w", 0o600);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(draft, file);
}

const hasModes = process.platform !== "win32";

async function readChecked(
  file: string,
  problemOf: (handle: FileHandle) => Promise<string | undefined>,
): Promise<string> {
  const handle = await open(file);
  try {
    const problem = await problemOf(handle);
    if (problem !== undefined) throw new UsageError(problem);
    return (await handle.readFile("utf8")).trim();
  } finally {
    await handle.close();
  }
}
