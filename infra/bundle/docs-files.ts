import { createHash } from "node:crypto";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { allOperations } from "../../shared/contract/operations/all-operations.ts";
import { type Encoding, encodingSuffixes } from "../../shared/vocabulary/files.ts";
import { asyncApiDocument } from "../asyncapi/asyncapi-document.ts";
import { changelogPage } from "../docs-pages/changelog-page.ts";
import { compatibilityPage } from "../docs-pages/compatibility-page.ts";
import { overviewForModels } from "../docs-pages/overview-for-models.ts";
import type { OpenApiDocument } from "../openapi/document-parts.ts";
import { openApiDocument } from "../openapi/openapi-document.ts";
import { writeChanged } from "./write-changed.ts";

const page = fileURLToPath(new URL("../../functions/docs/page/", import.meta.url));
/** Both packages work under a strict content security policy; `@scalar/api-reference` would add 185 packages. */
const swaggerUi = fileURLToPath(new URL("../../node_modules/swagger-ui-dist/", import.meta.url));

/** The record of what has changed for clients lies beside what it is checked against. */
const changes = fileURLToPath(new URL("../../test/contract/fixtures/v1/CHANGES.md", import.meta.url));

export const docsFolder = "files";

interface DocsFile {
  readonly name: string;
  readonly contentType: string;
  readonly read: () => Promise<Uint8Array>;
}

let made: Promise<OpenApiDocument> | undefined;

/** Several files are made from the document, which takes a second to make. */
function document(): Promise<OpenApiDocument> {
  made ??= openApiDocument(allOperations);
  return made;
}

const html = "text/html; charset=utf-8";

const files: readonly DocsFile[] = [
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

/** `functions/docs/folder-files.ts` reads the manifest. */
export async function writeDocsFiles(folder: string): Promise<void> {
  const target = join(folder, docsFolder);
  await mkdir(target, { recursive: true });
  const entries = await Promise.all(files.map((file) => writeForms(target, file)));
  const manifest = JSON.stringify(Object.fromEntries(entries));
  await writeChanged(join(target, "manifest.json"), Buffer.from(manifest));
}

const encodings = Object.keys(encodingSuffixes) as Encoding[];

async function writeForms(target: string, { name, contentType, read }: DocsFile) {
  const content = await read();
  const compress = { br: () => compressBrotli(content), gzip: () => promisify(gzip)(content, { level: 9 }) };
  await Promise.all([
    writeChanged(join(target, name), content),
    ...encodings.map(async (encoding) =>
      writeChanged(join(target, name + encodingSuffixes[encoding]), await compress[encoding]()),
    ),
  ]);
  const digest = createHash("sha256").update(content).digest("base64url").slice(0, 22);
  return [name, { content_type: contentType, etag: `W/"${digest}"`, encodings }] as const;
}

/** The highest quality takes ten times as long for a few percent. */
async function compressBrotli(content: Uint8Array): Promise<Uint8Array> {
  return await promisify(brotliCompress)(content, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 9,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    },
  });
}

function text(name: string, contentType: string, make: () => Promise<string>): DocsFile {
  return { name, contentType, read: async () => new TextEncoder().encode(await make()) };
}

function script(name: string, folder: string): DocsFile {
  return { name, contentType: "text/javascript; charset=utf-8", read: () => readFile(join(folder, name)) };
}

function style(name: string, folder: string): DocsFile {
  return { name, contentType: "text/css; charset=utf-8", read: () => readFile(join(folder, name)) };
}
