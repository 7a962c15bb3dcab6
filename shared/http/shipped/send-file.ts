import { DomainError } from "../../domain/errors.ts";
import type { HttpContext } from "../http-env.ts";
import { entityTagsIn, isAmong } from "../request/entity-tags.ts";
import { chooseEncoding } from "./choose-encoding.ts";
import type { ShippedFiles } from "./shipped-files.ts";

/** The end of a file's name says which one is its. */
const contentTypes: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  json: "application/json",
  txt: "text/plain; charset=utf-8",
};

/** @throws {DomainError} `not_found` */
export async function sendFile(
  c: HttpContext,
  files: ShippedFiles,
  name: string,
  cacheControl: string,
): Promise<Response> {
  const file = files.find(name);
  if (file === undefined) throw new DomainError("not_found", "there is no such page or file");
  c.header("ETag", file.etag);
  c.header("Cache-Control", cacheControl);
  c.header("Vary", "Accept-Encoding");
  if (isAmong(entityTagsIn(c.req.header("if-none-match")), file.etag)) return c.body(null, 304);
  const encoding = chooseEncoding(c.req.header("accept-encoding"));
  if (encoding !== undefined) c.header("Content-Encoding", encoding);
  c.header("Content-Type", contentTypes[name.slice(name.lastIndexOf(".") + 1)] ?? "application/octet-stream");
  return c.body(await file.read(encoding));
}
