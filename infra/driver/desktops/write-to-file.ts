import { randomUUID } from "node:crypto";
import { constants, createReadStream, createWriteStream } from "node:fs";
import { chmod, open, rename, rm, stat, truncate } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type FileWriteMode, fileBytesMax } from "../../../shared/vocabulary/drivers.ts";
import { Refusal } from "../answer.ts";
import { type FileScope, locateForWriting } from "./file-access.ts";

export interface WrittenFile {
  readonly path: string;
  readonly size: number;
  readonly modified: string;
}

async function* limited(source: Readable): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of source as AsyncIterable<Buffer>) {
    bytes += chunk.byteLength;
    if (bytes > fileBytesMax) {
      throw new Refusal(413, "too_large", `at most ${fileBytesMax} bytes are written at once`);
    }
    yield chunk;
  }
}

/** A link may have replaced the target since it was found, so none is followed. */
const append = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW;

async function appendFrom(source: string, target: string): Promise<void> {
  const file = await open(target, append);
  const { size } = await file.stat();
  try {
    await pipeline(createReadStream(source), file.createWriteStream());
  } catch (error) {
    await truncate(target, size);
    throw error;
  }
}

/** The draft is beside the target, where a rename is atomic. @throws {Refusal} 403, 404, 413 or 422. */
export async function writeToFile(
  scope: FileScope,
  path: string,
  mode: FileWriteMode,
  content: Uint8Array | Readable,
): Promise<WrittenFile> {
  const target = await locateForWriting(scope, path);
  const before = await stat(target).catch(() => undefined);
  if (before !== undefined && !before.isFile()) throw new Refusal(422, "not_a_file", "the path is no file");
  const draft = join(dirname(target), `.${randomUUID()}.part`);
  const source = content instanceof Uint8Array ? Readable.from([content]) : content;
  try {
    await pipeline(limited(source), createWriteStream(draft, { flags: "wx", mode: 0o600 }));
    if (mode === "append") {
      await appendFrom(draft, target);
    } else {
      await chmod(draft, before === undefined ? 0o666 & ~process.umask() : before.mode & 0o7777);
      await rename(draft, target);
    }
  } finally {
    await rm(draft, { force: true });
  }
  const written = await stat(target);
  return { path: target, size: written.size, modified: written.mtime.toISOString() };
}
