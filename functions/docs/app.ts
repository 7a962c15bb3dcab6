import type { Hono } from "hono";
import { docsOperations } from "../../shared/contract/operations/docs-operations.ts";
import { createHttpApp } from "../../shared/http/create-http-app.ts";
import type { AppDeps } from "../../shared/http/http-deps.ts";
import type { HttpContext, HttpEnv } from "../../shared/http/http-env.ts";
import { policyOf } from "../../shared/http/shipped/security-policy.ts";
import { sendFile, strictTransport } from "../../shared/http/shipped/send-file.ts";
import type { ShippedFiles } from "../../shared/http/shipped/shipped-files.ts";

export interface DocsDeps extends AppDeps {
  readonly files: ShippedFiles;
}

type DocsOperation = (typeof docsOperations)[number];

const contentSecurityPolicy = policyOf([]);

/** Files change with a release, so caches must expire soon after it. */
const briefly = "public, max-age=300";

/** The name of an asset has its hash. */
const immutable = "public, max-age=31536000, immutable";

export function createDocsApp(deps: DocsDeps): Hono<HttpEnv> {
  const app = createHttpApp(deps);
  const send = (name: string) => (c: HttpContext) => sendFile(c, deps.files, name, briefly);
  const sendPage = (nameOf: (c: HttpContext) => string) => (c: HttpContext) => {
    c.header("Content-Security-Policy", contentSecurityPolicy);
    c.header("Referrer-Policy", "no-referrer");
    c.header("Strict-Transport-Security", strictTransport);
    return sendFile(c, deps.files, `${nameOf(c)}.html`, briefly);
  };
  const handlers: Readonly<Record<DocsOperation["id"], (c: HttpContext) => Promise<Response>>> = {
    getOpenApiDocument: send("openapi.json"),
    getAsyncApiDocument: send("asyncapi.json"),
    getReferencePage: sendPage(() => "docs"),
    getCompatibilityPage: sendPage(() => "compatibility"),
    getChangelogPage: sendPage(() => "changelog"),
    getOverviewForModels: send("llms.txt"),
    getReferenceSection: sendPage((c) => `docs/${c.req.param("section")}`),
    getReferenceItem: sendPage((c) => `docs/${c.req.param("section")}/${c.req.param("item")}`),
    getReferenceAsset: (c) => sendFile(c, deps.files, `assets/${c.req.param("file")}`, immutable),
  };
  // `serveOperations` would enlarge the bundle by a fifth, and no request here has parts to validate. The router takes the
  // first route that fits, and an asset's is the more specific one.
  for (const { id, method, path } of docsOperations.toReversed()) {
    app.on(method, path.replaceAll(/\{(\w+)\}/g, ":$1"), handlers[id]);
  }
  return app;
}
