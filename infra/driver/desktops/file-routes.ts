import { createReadStream } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { WriteFileBody } from "../../../shared/contract/computer/computer-system.ts";
import { managedFilePaths } from "../../../shared/contract/tunnel.ts";
import { fileBytesMax, inlineFileBytesMax } from "../../../shared/vocabulary/drivers.ts";
import { jsonAnswer, Refusal } from "../answer.ts";
import type { Answer } from "../desktop.ts";
import { type Route, serve, serveRaw } from "./desktop-operations.ts";
import {
  type FileScope,
  fileProblem,
  findOwn,
  type IsOwn,
  locate,
  makeFolder,
  removeFile,
} from "./file-access.ts";
import { readJson, readQuery } from "./read-input.ts";
import { writeToFile } from "./write-to-file.ts";

const itemsMax = 10_000;

/** The service keeps `upload_id`: the driver gets an upload's bytes, and the other fields as query. */
const { path, mode, content } = WriteFileBody.shape;
const UploadedQuery = z.object({ path, mode });
const PathBody = z.object({ path });
const InlineBody = z.object({ path, mode, content: content.unwrap() });

async function listFolder(folder: string, isOwn: IsOwn) {
  const names = (await readdir(folder)).sort();
  if (names.length > itemsMax) {
    throw new Refusal(
      413,
      "too_large",
      `the folder has ${names.length} items, at most ${itemsMax} are listed`,
    );
  }
  const items = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      // A dangling link, or a file deleted since, must not hide the others.
      const found = await stat(path).catch(() => undefined);
      if (found === undefined || isOwn(path, found)) return [];
      const is_dir = found.isDirectory();
      return [{ name, path, is_dir, size: is_dir ? 0 : found.size, modified: found.mtime.toISOString() }];
    }),
  );
  return items.flat();
}

async function readInline(path: string, size: number): Promise<Answer> {
  if (size > inlineFileBytesMax) {
    const sentence = `the file has ${size} bytes, at most ${inlineFileBytesMax} are sent inline: ask with as=url`;
    throw new Refusal(413, "too_large", sentence);
  }
  const content = await readFile(path);
  return jsonAnswer(200, { path, content: content.toString("base64"), size: content.byteLength });
}

function readThroughUpload(path: string, size: number): Answer {
  if (size > fileBytesMax) {
    throw new Refusal(413, "too_large", `the file has ${size} bytes, at most ${fileBytesMax} are sent`);
  }
  const headers = {
    "content-type": "application/octet-stream",
    "content-length": String(size),
    "x-file-path": encodeURIComponent(path),
    "x-file-size": String(size),
  };
  // A file that grows while it is sent would exceed its announced length.
  const open = async () => createReadStream(path, size === 0 ? {} : { end: size - 1 });
  return { status: 200, headers, body: size === 0 ? new Uint8Array() : { size, open } };
}

export function createFileRoutes(scope: FileScope): readonly Route[] {
  async function guarded(act: () => Promise<Answer>): Promise<Answer> {
    try {
      return await act();
    } catch (error) {
      throw fileProblem(error);
    }
  }

  return [
    serve("listFiles", (query) =>
      guarded(async () => {
        const folder = await locate(scope, query.path);
        return jsonAnswer(200, { path: folder, items: await listFolder(folder, await findOwn(scope)) });
      }),
    ),
    serve("readFile", (query) =>
      guarded(async () => {
        const real = await locate(scope, query.path);
        const found = await stat(real);
        if (!found.isFile()) throw new Refusal(422, "not_a_file", "the path is no file");
        return query.as === "inline"
          ? await readInline(real, found.size)
          : readThroughUpload(real, found.size);
      }),
    ),
    serveRaw("writeFile", (request) =>
      guarded(async () => {
        const isJson = /^application\/json\b/i.test(request.headers["content-type"] ?? "");
        if (isJson) {
          const body = await readJson(request, InlineBody);
          const bytes = Buffer.from(body.content, "base64");
          return jsonAnswer(200, await writeToFile(scope, body.path, body.mode, bytes));
        }
        const query = readQuery(request, UploadedQuery);
        const bytes = await request.body.stream();
        return jsonAnswer(200, await writeToFile(scope, query.path, query.mode, bytes));
      }),
    ),
    {
      method: "POST",
      path: managedFilePaths.makeFolder,
      handle: async (request) => {
        const { path } = await readJson(request, PathBody);
        return jsonAnswer(200, { path: await makeFolder(scope, path) });
      },
    },
    {
      method: "POST",
      path: managedFilePaths.remove,
      handle: async (request) => {
        const { path } = await readJson(request, PathBody);
        await removeFile(scope, path);
        return jsonAnswer(200, {});
      },
    },
  ];
}
