import type { Stats } from "node:fs";
import { lstat, mkdir, realpath, rm, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
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

/** Only an error that the caller can repair becomes a refusal. */
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

export interface FileScope {
  /** Paths start at this folder and end inside it. */
  readonly root: string;
  /** The driver's own files (its key, its state) are refused inside the root, too. */
  readonly own: readonly string[];
}

async function realPlace(path: string): Promise<string> {
  return await realpath(path).catch(async () => {
    const folder = dirname(resolve(path));
    return join(await realpath(folder).catch(() => folder), basename(path));
  });
}

export type IsOwn = (path: string, found: Pick<Stats, "dev" | "ino"> | undefined) => boolean;

/** The driver's own files are recognized under other names, too: symbolic links, hard links and mounts. */
export async function findOwn({ own }: FileScope): Promise<IsOwn> {
  const places = await Promise.all(
    own.map(async (path) => {
      const place = await realPlace(path);
      return { place, inode: await stat(place).catch(() => undefined) };
    }),
  );
  return (path, found) =>
    places.some(
      ({ place, inode }) =>
        isInside(place, path) || (inode !== undefined && found?.ino === inode.ino && found.dev === inode.dev),
    );
}

async function refuseOwn(scope: FileScope, path: string): Promise<void> {
  const isOwn = await findOwn(scope);
  const found = await stat(path).catch(() => undefined);
  if (isOwn(path, found)) throw new Refusal(403, "driver_file", "the path is one of the driver's own files");
}

/** `~` is the root; a file of that name is `./~`. */
function fromRoot(root: string, path: string): string {
  return resolve(root, path.replace(/^~(?:[\\/]+|$)/, ""));
}

/** Symbolic links must end inside the root, too. @throws {Refusal} 403, 404 or 422. */
export async function locate(scope: FileScope, path: string): Promise<string> {
  try {
    const realRoot = await realpath(scope.root);
    const real = await realpath(fromRoot(realRoot, path));
    if (!isInside(realRoot, real)) throw outside();
    await refuseOwn(scope, real);
    return real;
  } catch (error) {
    throw fileProblem(error);
  }
}

/** Writing through a dangling link would create a file outside. @throws {Refusal} 403, 404 or 422. */
export async function locateForWriting(scope: FileScope, path: string): Promise<string> {
  try {
    return await locate(scope, path);
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== "file_not_found") throw error;
  }
  const name = basename(path);
  if (name === "" || name === "." || name === ".." || path.endsWith(sep)) {
    throw new Refusal(422, "invalid_input", "the path names no file");
  }
  const target = resolve(await locate(scope, dirname(path)), name);
  await refuseOwn(scope, target);
  const isLink = await lstat(target).then(
    (found) => found.isSymbolicLink(),
    () => false,
  );
  if (isLink) throw new Refusal(422, "invalid_input", "the path is a link that leads nowhere");
  return target;
}

export async function makeFolder(scope: FileScope, path: string): Promise<string> {
  try {
    const realRoot = await realpath(scope.root);
    const wanted = fromRoot(realRoot, path);
    if (!isInside(realRoot, wanted)) throw outside();
    const there = await nearestFolder(wanted);
    // A link above the folder may lead anywhere.
    if (!isInside(realRoot, await realpath(there))) throw outside();
    await refuseOwn(scope, wanted);
    await mkdir(wanted, { recursive: true, mode: 0o700 });
    return await locate(scope, wanted);
  } catch (error) {
    throw codeOf(error) === "EEXIST"
      ? new Refusal(422, "not_a_folder", "the path is no folder")
      : fileProblem(error);
  }
}

async function nearestFolder(path: string): Promise<string> {
  const found = await lstat(path).catch(() => undefined);
  return found === undefined ? await nearestFolder(dirname(path)) : path;
}

/**
 * A missing file is not an error.
 *
 * @throws {Refusal} 403 for the root, too, or a folder that contains one of the driver's own files.
 */
export async function removeFile(scope: FileScope, path: string): Promise<void> {
  try {
    const realRoot = await realpath(scope.root);
    const wanted = fromRoot(realRoot, path);
    const folder = await realpath(dirname(wanted)).catch(() => undefined);
    if (folder === undefined && isInside(realRoot, wanted)) return;
    const target = join(folder ?? dirname(wanted), basename(wanted));
    if (target === realRoot || !isInside(realRoot, target)) throw outside();
    await refuseOwn(scope, target);
    const own = await Promise.all(scope.own.map(realPlace));
    if (own.some((place) => isInside(target, place))) {
      throw new Refusal(403, "driver_file", "the path has the driver's own files in it");
    }
    await rm(target, { recursive: true, force: true });
  } catch (error) {
    throw fileProblem(error);
  }
}
