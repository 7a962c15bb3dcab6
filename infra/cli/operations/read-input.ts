import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { Context } from "../program/context.ts";
import { UsageError } from "../program/failures.ts";
import { isSource, type ReadSource } from "./field-options.ts";

type Reading = Pick<Context, "terminal" | "folder">;

/** `@FILE` is a file, `-` standard input. */
export function sourceReader({ terminal, folder }: Reading): ReadSource {
  return async (source) => {
    if (source === "-") return new TextDecoder().decode(await terminal.readInput());
    return new TextDecoder().decode(await readBytes(source.slice(1), folder));
  };
}

/** @throws {UsageError} if there is no such file. */
export async function readBytes(file: string, folder: string): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return new Uint8Array(await readFile(resolve(folder, file)));
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as NodeJS.ErrnoException).code}`);
  }
}

/** @throws {UsageError} which does not repeat the text: it may hold secrets. */
export async function readBody(text: string, reading: Reading): Promise<Readonly<Record<string, unknown>>> {
  let body: unknown;
  try {
    body = JSON.parse(isSource(text) ? await sourceReader(reading)(text) : text);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError("the body is no JSON");
  }
  if (typeof body === "object" && body !== null && !Array.isArray(body)) return { ...body };
  throw new UsageError("the body has to be an object of JSON");
}
