import type { Hono } from "hono";
import { docsOperations } from "../../shared/contract/operations/docs-operations.ts";
import { createHttpApp } from "../../shared/http/create-http-app.ts";
import type { AppDeps } from "../../shared/http/http-deps.ts";
import type { HttpContext, HttpEnv } from "../../shared/http/http-env.ts";
import { policyOf } from "../../shared/http/shipped/security-policy.ts";
import { sendFile } from "../../shared/http/shipped/send-file.ts";
import { sendAsset, serveShipped, setPageHeaders } from "../../shared/http/shipped/serve-shipped.ts";
import type { ShippedFiles } from "../../shared/http/shipped/shipped-files.ts";

export interface DocsDeps extends AppDeps {
  readonly files: ShippedFiles;
}

const contentSecurityPolicy = policyOf([]);

/** Files change with a release, so caches must expire soon after it. */
const briefly = "public, max-age=300";

export function createDocsApp(deps: DocsDeps): Hono<HttpEnv> {
  const send = (name: string) => (c: HttpContext) => sendFile(c, deps.files, name, briefly);
  const sendPage = (nameOf: (c: HttpContext) => string) => (c: HttpContext) => {
    setPageHeaders(c, contentSecurityPolicy);
    return sendFile(c, deps.files, `${nameOf(c)}.html`, briefly);
  };
  return serveShipped(createHttpApp(deps), docsOperations, {
    getOpenApiDocument: send("openapi.json"),
    getAsyncApiDocument: send("asyncapi.json"),
    getReferencePage: sendPage(() => "docs"),
    getCompatibilityPage: sendPage(() => "compatibility"),
    getChangelogPage: sendPage(() => "changelog"),
    getOverviewForModels: send("llms.txt"),
    getReferenceSection: sendPage((c) => `docs/${c.req.param("section")}`),
    getReferenceItem: sendPage((c) => `docs/${c.req.param("section")}/${c.req.param("item")}`),
    getReferenceAsset: (c) => sendAsset(c, deps.files),
  });
}
