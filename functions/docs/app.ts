import type { Hono } from "hono";
import { docsOperations } from "../../shared/contract/operations/docs-operations.ts";
import { createHttpApp } from "../../shared/http/create-http-app.ts";
import type { AppDeps } from "../../shared/http/http-deps.ts";
import type { HttpContext, HttpEnv } from "../../shared/http/http-env.ts";
import { sendFile, strictTransport } from "../../shared/http/shipped/send-file.ts";
import type { ShippedFiles } from "../../shared/http/shipped/shipped-files.ts";

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

/** Files change with a release, so caches must expire soon after it. */
const cacheControl = "public, max-age=300";

export function createDocsApp(deps: DocsDeps): Hono<HttpEnv> {
  const app = createHttpApp(deps);
  const send = (name: string) => (c: HttpContext) => sendFile(c, deps.files, name, cacheControl);
  const sendPage = (name: string) => (c: HttpContext) => {
    c.header("Content-Security-Policy", contentSecurityPolicy);
    c.header("Referrer-Policy", "no-referrer");
    c.header("Strict-Transport-Security", strictTransport);
    return sendFile(c, deps.files, name, cacheControl);
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
