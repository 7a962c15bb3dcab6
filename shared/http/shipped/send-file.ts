import { DomainError } from "../../domain/errors.ts";
import type { HttpContext } from "../http-env.ts";
import { entityTagsIn, isAmong } from "../request/entity-tags.ts";
import { chooseEncoding } from "./choose-encoding.ts";
import type { ShippedFiles } from "./shipped-files.ts";

/** Browsers that have loaded a page use only https for a year. */
export const strictTransport = "max-age=31536000";

/** @throws {DomainError} `not_found` */
export async function sendFile(
  c: HttpContext,
  files: ShippedFiles,
  name: string,
  cacheControl: string,
): Promise<Response> {
  const file = files.find(name);
  if (file === undefined) throw new DomainError("not_found", "there is no such file");
  c.header("ETag", file.etag);
  c.header("Cache-Control", cacheControl);
  c.header("Vary", "Accept-Encoding");
  if (isAmong(entityTagsIn(c.req.header("if-none-match")), file.etag)) return c.body(null, 304);
  const encoding = chooseEncoding(c.req.header("accept-encoding"), file.encodings);
  if (encoding !== undefined) c.header("Content-Encoding", encoding);
  c.header("Content-Type", file.contentType);
  return c.body(await file.read(encoding));
}
