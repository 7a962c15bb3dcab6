import { lstat, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, relative, resolve, sep } from "node:path";
import { Refusal } from "../answer.ts";

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

const problems: Readonly<Record<string, readonly [number, string, string]>> = {
  ENOENT: [404, "file_not_found", "there is no such file or folder"],
  ENOTDIR: [422, "not_a_folder", "a part of the path is no folder"],
  EISDIR: [422, "is_a_folder", "the path is a folder"],
  EACCES: [403, "file_access_denied", "the driver's user may not do that with this path"],
  EPERM: [403, "file_access_denied", "the driver's user may not do that with this path"],
  EROFS: [403, "file_access_denied", "the file system is read-only"],
  ENAMETOOLONG: [422, "invalid_input", "the path is too long"],
  ELOOP: [422, "invalid_input", "the path runs in a circle"],
};

/** What the file system said, as a refusal where the caller can repair it, else as it is. */
export function fileProblem(error: unknown): unknown {
  const [status, code, sentence] = problems[codeOf(error) ?? ""] ?? [];
  return status === undefined || code === undefined || sentence === undefined
    ? error
    : new Refusal(status, code, sentence);
}

function outside(): Refusal {
  return new Refusal(403, "outside_root", "the path is outside the folder that this driver may touch");
}

function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/**
 * Finds an existing file or folder.
 *
 * A relative path starts at the root. Symbolic links are followed and must end inside, too.
 *
 * @throws {Refusal} 403 `outside_root`, 404, 422.
 */
export async function locate(root: string, path: string): Promise<string> {
  try {
    const realRoot = await realpath(root);
    const wanted = resolve(realRoot, path);
    const real = await realpath(wanted);
    if (!isInside(realRoot, real)) throw outside();
    return real;
  } catch (error) {
    throw fileProblem(error);
  }
}

/**
 * Finds where a file is, or would be written: its folder must exist.
 *
 * A link that leads nowhere is refused: written through, it would make a file wherever it points.
 *
 * @throws {Refusal} as {@link locate}.
 */
export async function locateForWriting(root: string, path: string): Promise<string> {
  try {
    return await locate(root, path);
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== "file_not_found") throw error;
  }
  const name = basename(path);
  if (name === "" || name === "." || name === ".." || path.endsWith(sep)) {
    throw new Refusal(422, "invalid_input", "the path names no file");
  }
  const target = resolve(await locate(root, dirname(path)), name);
  const isLink = await lstat(target).then(
    (found) => found.isSymbolicLink(),
    () => false,
  );
  if (isLink) throw new Refusal(422, "invalid_input", "the path is a link that leads nowhere");
  return target;
}
