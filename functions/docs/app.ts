import type { Hono } from "hono";
import { DomainError } from "../../shared/domain/errors.ts";
import { createHttpApp } from "../../shared/http/create-http-app.ts";
import type { AppDeps } from "../../shared/http/http-deps.ts";
import type { HttpContext, HttpEnv } from "../../shared/http/http-env.ts";
import { chooseEncoding } from "./choose-encoding.ts";
import type { ShippedFiles } from "./shipped-files.ts";

export interface DocsDeps extends AppDeps {
  readonly files: ShippedFiles;
}

/** The page gets scripts and styles from here alone, and talks to this API alone. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** What the page loads. */
const assets = ["page.js", "page.css", "swagger-ui-bundle.js", "swagger-ui.css"] as const;

/** A release changes them, and then at once. */
const cacheControl = "public, max-age=300";

/** What the API says of itself. Public, and needs nothing but files that were made with the bundle. */
export function createDocsApp(deps: DocsDeps): Hono<HttpEnv> {
  const app = createHttpApp(deps);
  const send = (c: HttpContext, name: string) => sendFile(c, deps.files, name);

  app.get("/openapi.json", (c) => send(c, "openapi.json"));
  app.get("/asyncapi.json", (c) => send(c, "asyncapi.json"));
  app.get("/docs", (c) => {
    c.header("Content-Security-Policy", contentSecurityPolicy);
    c.header("Referrer-Policy", "no-referrer");
    return send(c, "index.html");
  });
  for (const file of assets) app.get(`/docs/assets/${file}`, (c) => send(c, file));

  return app;
}

async function sendFile(c: HttpContext, files: ShippedFiles, name: string): Promise<Response> {
  const file = files.find(name);
  if (file === undefined) throw new DomainError("not_found", "there is no such file");
  c.header("ETag", file.etag);
  c.header("Cache-Control", cacheControl);
  c.header("Vary", "Accept-Encoding");
  c.header("X-Content-Type-Options", "nosniff");
  if (names(c.req.header("if-none-match"), file.etag)) return c.body(null, 304);
  const encoding = chooseEncoding(c.req.header("accept-encoding"), file.encodings);
  if (encoding !== undefined) c.header("Content-Encoding", encoding);
  c.header("Content-Type", file.contentType);
  return c.body(await file.read(encoding));
}

/** Compared weakly, as RFC 9110 asks of If-None-Match. */
function names(header: string | undefined, etag: string): boolean {
  const given = header?.split(",").map((each) => each.trim().replace(/^W\//, "")) ?? [];
  return given.includes("*") || given.includes(etag.replace(/^W\//, ""));
}
