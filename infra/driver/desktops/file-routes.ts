import { createReadStream } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { jsonAnswer, Refusal } from "../answer.ts";
import type { Answer, DesktopRequest } from "../desktop.ts";
import { TRANSFER_BYTES_MAX } from "../tunnel/transfer.ts";
import { fileProblem, locate } from "./file-access.ts";
import { parseInput, readJson } from "./read-json.ts";
import type { Route } from "./route.ts";
import { writeToFile } from "./write-to-file.ts";

/** Largest file that travels as base64 inside JSON: 4 MB. */
const INLINE_BYTES_MAX = 4 * 1024 * 1024;
/** Base64 of the largest inline file, and a path beside it. */
const WRITE_BODY_BYTES_MAX = Math.ceil(INLINE_BYTES_MAX / 3) * 4 + 65_536;
const ITEMS_MAX = 10_000;

const Path = z.string().min(1).max(4096);
const Mode = z.enum(["write", "append"]).default("write");
const ListQuery = z.object({ path: Path.default(".") });
const ReadQuery = z.object({ path: Path, as: z.enum(["inline", "url"]).default("inline") });
const WriteQuery = z.object({ path: Path, mode: Mode });
const WriteBody = z.object({ path: Path, content: z.base64(), mode: Mode });

function queryOf<Output>(request: DesktopRequest, schema: z.ZodType<Output>): Output {
  return parseInput(schema, Object.fromEntries(new URLSearchParams(request.query)), "query");
}

async function listFolder(folder: string) {
  const names = (await readdir(folder)).sort();
  if (names.length > ITEMS_MAX) {
    throw new Refusal(
      413,
      "too_large",
      `the folder has ${names.length} items, at most ${ITEMS_MAX} are listed`,
    );
  }
  const items = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      // A link that leads nowhere, or a file deleted meanwhile, is no reason to show nothing.
      const found = await stat(path).catch(() => undefined);
      if (found === undefined) return [];
      const is_dir = found.isDirectory();
      return [{ name, path, is_dir, size: is_dir ? 0 : found.size, modified: found.mtime.toISOString() }];
    }),
  );
  return items.flat();
}

async function readInline(path: string, size: number): Promise<Answer> {
  if (size > INLINE_BYTES_MAX) {
    const sentence = `the file has ${size} bytes, at most ${INLINE_BYTES_MAX} are sent inline: ask with as=url`;
    throw new Refusal(413, "too_large", sentence);
  }
  const content = await readFile(path);
  return jsonAnswer(200, { path, content: content.toString("base64"), size: content.byteLength });
}

function readThroughUpload(path: string, size: number): Answer {
  if (size > TRANSFER_BYTES_MAX) {
    throw new Refusal(413, "too_large", `the file has ${size} bytes, at most ${TRANSFER_BYTES_MAX} are sent`);
  }
  const headers = {
    "content-type": "application/octet-stream",
    "content-length": String(size),
    "x-file-path": encodeURIComponent(path),
    "x-file-size": String(size),
  };
  // A file that grows while it is sent would break its announced length.
  const open = async () => createReadStream(path, size === 0 ? {} : { end: size - 1 });
  return { status: 200, headers, body: size === 0 ? new Uint8Array() : { size, open } };
}

/** The files of a folder and below it. */
export function createFileRoutes(root: string): readonly Route[] {
  async function guarded(act: () => Promise<Answer>): Promise<Answer> {
    try {
      return await act();
    } catch (error) {
      throw fileProblem(error);
    }
  }

  return [
    {
      method: "GET",
      path: "/computer/fs/list",
      handle: (request) =>
        guarded(async () => {
          const folder = await locate(root, queryOf(request, ListQuery).path);
          return jsonAnswer(200, { path: folder, items: await listFolder(folder) });
        }),
    },
    {
      method: "GET",
      path: "/computer/fs/read",
      handle: (request) =>
        guarded(async () => {
          const query = queryOf(request, ReadQuery);
          const real = await locate(root, query.path);
          const found = await stat(real);
          if (!found.isFile()) throw new Refusal(422, "not_a_file", "the path is no file");
          return query.as === "inline"
            ? await readInline(real, found.size)
            : readThroughUpload(real, found.size);
        }),
    },
    {
      method: "POST",
      path: "/computer/fs/write",
      handle: (request) =>
        guarded(async () => {
          const isJson = /^application\/json\b/i.test(request.headers["content-type"] ?? "");
          if (isJson) {
            const { path, content, mode } = await readJson(request, WriteBody, WRITE_BODY_BYTES_MAX);
            const bytes = Buffer.from(content, "base64");
            if (bytes.byteLength > INLINE_BYTES_MAX) {
              const sentence = `at most ${INLINE_BYTES_MAX} bytes are taken inline: use an upload`;
              throw new Refusal(413, "too_large", sentence);
            }
            return jsonAnswer(200, await writeToFile(root, path, mode, bytes));
          }
          const { path, mode } = queryOf(request, WriteQuery);
          const body = await request.body.stream();
          return jsonAnswer(200, await writeToFile(root, path, mode, body));
        }),
    },
  ];
}
