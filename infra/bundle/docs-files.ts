import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { allOperations } from "../../shared/contract/operations/all-operations.ts";
import { asyncApiDocument } from "../asyncapi/asyncapi-document.ts";
import { changelogPage } from "../docs-pages/changelog-page.ts";
import { compatibilityPage } from "../docs-pages/compatibility-page.ts";
import { overviewForModels } from "../docs-pages/overview-for-models.ts";
import { referencePages, searchFile } from "../docs-pages/reference-pages.ts";
import { openApiDocument } from "../openapi/openapi-document.ts";
import { asShipped, browserBuild } from "./browser-build.ts";
import { type ShippedSource, writeShippedFiles } from "./shipped-files.ts";

/** The record of what has changed for clients lies beside what it is checked against. */
const changes = fileURLToPath(new URL("../../test/contract/fixtures/v1/CHANGES.md", import.meta.url));

async function docsFiles(): Promise<readonly ShippedSource[]> {
  const [document, loaded] = await Promise.all([openApiDocument(allOperations), loadedFiles()]);
  const search = searchFile(document);
  const searchName = `assets/search-${createHash("sha256").update(search).digest("hex").slice(0, 8)}.json`;
  const addressOf = (end: string) =>
    `/docs/${[...loaded.map(({ name }) => name), searchName].find((name) => name.endsWith(end))}`;
  const assets = { script: addressOf(".js"), style: addressOf(".css"), search: addressOf(".json") };
  const pages = await referencePages(document, assets);
  return [
    ...loaded,
    text(searchName, search),
    ...pages.map(({ address, html }) => text(`${address.slice(1)}.html`, html)),
    text("compatibility.html", await compatibilityPage(allOperations, assets)),
    text("changelog.html", await changelogPage(await readFile(changes, "utf8"), assets)),
    text("openapi.json", JSON.stringify(document)),
    text("asyncapi.json", JSON.stringify(asyncApiDocument())),
    text("llms.txt", overviewForModels(document)),
  ];
}

export async function writeDocsFiles(folder: string): Promise<void> {
  await writeShippedFiles(folder, await docsFiles());
}

/** The script and the styles of the pages. */
async function loadedFiles(): Promise<readonly ShippedSource[]> {
  const { outputFiles } = await build({
    ...browserBuild,
    entryPoints: { docs: "infra/docs-pages/browser/main.ts" },
  });
  return outputFiles.map(asShipped);
}

function text(name: string, content: string): ShippedSource {
  return { name, read: async () => new TextEncoder().encode(content) };
}
