import type { Hono } from "hono";
import { docsOperations } from "../../shared/contract/operations/docs-operations.ts";
import { DomainError } from "../../shared/domain/errors.ts";
import { createHttpApp } from "../../shared/http/create-http-app.ts";
import type { AppDeps } from "../../shared/http/http-deps.ts";
import type { HttpContext, HttpEnv } from "../../shared/http/http-env.ts";
import { chooseEncoding } from "./choose-encoding.ts";
import type { ShippedFiles } from "./shipped-files.ts";

export interface DocsDeps extends AppDeps {
  readonly files: ShippedFiles;
}

type DocsOperation = (typeof docsOperations)[number];

/** Pages load scripts and styles only from here, and call only this API. */
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

/** Browsers that have loaded a page use only https for a year. */
const strictTransport = "max-age=31536000";

/** Files change with a release, so caches must expire soon after it. */
const cacheControl = "public, max-age=300";

export function createDocsApp(deps: DocsDeps): Hono<HttpEnv> {
  const app = createHttpApp(deps);
  const send = (name: string) => (c: HttpContext) => sendFile(c, deps.files, name);
  const sendPage = (name: string) => (c: HttpContext) => {
    c.header("Content-Security-Policy", contentSecurityPolicy);
    c.header("Referrer-Policy", "no-referrer");
    c.header("Strict-Transport-Security", strictTransport);
    return sendFile(c, deps.files, name);
  };
  const handlers: Readonly<Record<DocsOperation["id"], (c: HttpContext) => Promise<Response>>> = {
    getOpenApiDocument: send("openapi.json"),
    getAsyncApiDocument: send("asyncapi.json"),
    getReferencePage: sendPage("index.html"),
    getCompatibilityPage: sendPage("compatibility.html"),
    getChangelogPage: sendPage("changelog.html"),
    getOverviewForModels: send("llms.txt"),
    getReferenceScript: send("page.js"),
    getReferenceStyles: send("page.css"),
    getSwaggerUiScript: send("swagger-ui-bundle.js"),
    getSwaggerUiStyles: send("swagger-ui.css"),
  };
  // `serveOperations` would enlarge the bundle by a fifth, and no request here has parts to parse.
  for (const { id, method, path } of docsOperations) app.on(method, path, handlers[id]);
  return app;
}

async function sendFile(c: HttpContext, files: ShippedFiles, name: string): Promise<Response> {
  const file = files.find(name);
  if (file === undefined) throw new DomainError("not_found", "there is no such file");
  c.header("ETag", file.etag);
  c.header("Cache-Control", cacheControl);
  c.header("Vary", "Accept-Encoding");
  if (names(c.req.header("if-none-match"), file.etag)) return c.body(null, 304);
  const encoding = chooseEncoding(c.req.header("accept-encoding"), file.encodings);
  if (encoding !== undefined) c.header("Content-Encoding", encoding);
  c.header("Content-Type", file.contentType);
  return c.body(await file.read(encoding));
}

/** Weak comparison, as RFC 9110 requires for If-None-Match. */
function names(header: string | undefined, etag: string): boolean {
  const given = header?.split(",").map((each) => each.trim().replace(/^W\//, "")) ?? [];
  return given.includes("*") || given.includes(etag.replace(/^W\//, ""));
}
