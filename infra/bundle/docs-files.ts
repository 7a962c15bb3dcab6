import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { allOperations } from "../../shared/contract/operations/all-operations.ts";
import { asyncApiDocument } from "../asyncapi/asyncapi-document.ts";
import { changelogPage } from "../docs-pages/changelog-page.ts";
import { compatibilityPage } from "../docs-pages/compatibility-page.ts";
import { overviewForModels } from "../docs-pages/overview-for-models.ts";
import type { OpenApiDocument } from "../openapi/document-parts.ts";
import { openApiDocument } from "../openapi/openapi-document.ts";
import { css, html, javascript, type ShippedSource, writeShippedFiles } from "./shipped-files.ts";

const page = fileURLToPath(new URL("../../functions/docs/page/", import.meta.url));
/** Both packages work under a strict content security policy; `@scalar/api-reference` would add 185 packages. */
const swaggerUi = fileURLToPath(new URL("../../node_modules/swagger-ui-dist/", import.meta.url));

/** The record of what has changed for clients lies beside what it is checked against. */
const changes = fileURLToPath(new URL("../../test/contract/fixtures/v1/CHANGES.md", import.meta.url));

let made: Promise<OpenApiDocument> | undefined;

/** Several files are made from the document, which takes a second to make. */
function document(): Promise<OpenApiDocument> {
  made ??= openApiDocument(allOperations);
  return made;
}

const files: readonly ShippedSource[] = [
  text("openapi.json", "application/json", async () => JSON.stringify(await document())),
  text("asyncapi.json", "application/json", async () => JSON.stringify(asyncApiDocument())),
  { name: "index.html", contentType: html, read: () => readFile(join(page, "index.html")) },
  text("compatibility.html", html, () => compatibilityPage(allOperations)),
  text("changelog.html", html, async () => changelogPage(await readFile(changes, "utf8"))),
  text("llms.txt", "text/plain; charset=utf-8", async () => overviewForModels(await document())),
  script("page.js", page),
  style("page.css", page),
  script("swagger-ui-bundle.js", swaggerUi),
  style("swagger-ui.css", swaggerUi),
];

export async function writeDocsFiles(folder: string): Promise<void> {
  await writeShippedFiles(folder, files);
}

function text(name: string, contentType: string, make: () => Promise<string>): ShippedSource {
  return { name, contentType, read: async () => new TextEncoder().encode(await make()) };
}

function script(name: string, folder: string): ShippedSource {
  return { name, contentType: javascript, read: () => readFile(join(folder, name)) };
}

function style(name: string, folder: string): ShippedSource {
  return { name, contentType: css, read: () => readFile(join(folder, name)) };
}
