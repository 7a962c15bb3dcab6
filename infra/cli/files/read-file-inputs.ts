import { readFile, stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { filesBytesMax } from "../../../shared/vocabulary/files.ts";
import { UsageError } from "../program/failures.ts";

export interface FileInput {
  readonly filename: string;
  readonly content: string;
  readonly target_path?: string;
}

/**
 * Reads what goes along with a new run. Each is a path, or `path=target` with the file's place on the desktop.
 *
 * @throws {UsageError} before a run is made, if one cannot be read or all together are too large.
 */
export async function readFileInputs(
  given: readonly string[],
  folder: string,
): Promise<readonly FileInput[]> {
  const files: FileInput[] = [];
  let bytes = 0;
  for (const each of given) {
    const { path, target } = await pathAndTarget(each, folder);
    const content = await readFile(path).catch((error: NodeJS.ErrnoException) => {
      throw new UsageError(`${path} cannot be read: ${error.code}`);
    });
    bytes += content.byteLength;
    if (bytes > filesBytesMax) {
      throw new UsageError(
        `the files of a new run have at most ${filesBytesMax} bytes in all: "das attachments create" adds larger ones to a run that waits`,
      );
    }
    files.push({
      filename: basename(path),
      content: content.toString("base64"),
      ...(target === undefined ? {} : { target_path: target }),
    });
  }
  return files;
}

/** A file whose own name has an equals sign is found first. */
async function pathAndTarget(
  given: string,
  folder: string,
): Promise<{ readonly path: string; readonly target: string | undefined }> {
  const whole = resolve(folder, given);
  const at = given.indexOf("=");
  if (at < 0 || (await isThere(whole))) return { path: whole, target: undefined };
  return { path: resolve(folder, given.slice(0, at)), target: given.slice(at + 1) };
}

async function isThere(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    () => false,
  );
}
