import type { Hono } from "hono";
import type { HttpContext, HttpEnv } from "../http-env.ts";
import { sendFile } from "./send-file.ts";
import type { ShippedFiles } from "./shipped-files.ts";

type Handler = (c: HttpContext) => Promise<Response>;

interface ShippedOperation<Id extends string> {
  readonly id: Id;
  readonly method: string;
  readonly path: string;
}

/** Browsers that have loaded a page use only https for a year. */
const strictTransport = "max-age=31536000";

/** The name of an asset has its hash. */
const immutable = "public, max-age=31536000, immutable";

export function setPageHeaders(c: HttpContext, contentSecurityPolicy: string): void {
  c.header("Content-Security-Policy", contentSecurityPolicy);
  c.header("Referrer-Policy", "no-referrer");
  c.header("Strict-Transport-Security", strictTransport);
}

/** Serves the path parameter `file`. @throws {DomainError} `not_found` */
export async function sendAsset(c: HttpContext, files: ShippedFiles): Promise<Response> {
  return await sendFile(c, files, `assets/${c.req.param("file")}`, immutable);
}

/**
 * `serveOperations` would enlarge a bundle by a fifth, and no request for a file has parts to validate. The router takes the
 * first route that fits, and an asset's is the last of its operations and the more specific one.
 */
export function serveShipped<Id extends string>(
  app: Hono<HttpEnv>,
  operations: readonly ShippedOperation<Id>[],
  handlers: Readonly<Record<Id, Handler>>,
): Hono<HttpEnv> {
  for (const { id, method, path } of operations.toReversed()) {
    app.on(method, path.replaceAll(/\{(\w+)\}/g, ":$1"), handlers[id]);
  }
  return app;
}
