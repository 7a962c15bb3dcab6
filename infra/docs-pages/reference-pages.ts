import { exampleCalls } from "../clients/sample/example-call.ts";
import type { OpenApiDocument } from "../openapi/document-parts.ts";
import type { Html } from "./page/html.ts";
import { layout, type PageAssets } from "./page/layout.ts";
import { operationMain } from "./page/operation-page.ts";
import { operationParts } from "./page/operation-parts.ts";
import { conventionsMain, overviewMain } from "./page/overview-page.ts";
import { schemaMain, schemasMain } from "./page/schema-page.ts";
import { createSidebar } from "./page/sidebar.ts";
import { webhookMain, webhooksMain } from "./page/webhook-page.ts";
import {
  conventionsPath,
  docsPath,
  operationAddress,
  type Reference,
  referenceOf,
  schemaAddress,
  schemasPath,
  webhookAddress,
  webhooksPath,
} from "./reference.ts";
import { schemaUses } from "./schema/uses.ts";
import { searchEntries } from "./search-entries.ts";

interface ReferencePage {
  /** The path that it is served under. */
  readonly address: string;
  readonly html: string;
}

/** Everything under `/docs` that is read, but for what the pages load. */
export async function referencePages(
  document: OpenApiDocument,
  assets: PageAssets,
): Promise<readonly ReferencePage[]> {
  const reference = referenceOf(document);
  const sidebar = createSidebar(reference);
  return await Promise.all(
    pagesOf(reference).map(async ({ address, title, description, main }) => ({
      address,
      html: await layout({
        title,
        assets,
        ...(description && { description }),
        sidebar: sidebar(address),
        main,
      }),
    })),
  );
}

/** The search loads this file when it is first opened. */
export function searchFile(document: OpenApiDocument): string {
  const reference = referenceOf(document);
  const operations = reference.groups.flatMap((group) =>
    group.operations.map((at) => operationParts(reference, at)),
  );
  return JSON.stringify(searchEntries(reference, operations));
}

interface Content {
  readonly address: string;
  readonly title: string;
  readonly description?: string;
  readonly main: Html;
}

function pagesOf(reference: Reference): readonly Content[] {
  const { document, groups, webhooks, schemas } = reference;
  const calls = new Map(exampleCalls(document).map((call) => [call.id, call]));
  const uses = schemaUses(reference);
  return [
    { address: docsPath, title: "API reference", main: overviewMain(reference) },
    { address: conventionsPath, title: "Conventions", main: conventionsMain(reference) },
    { address: webhooksPath, title: "Webhooks", main: webhooksMain(reference) },
    { address: schemasPath, title: "Schemas", main: schemasMain(reference) },
    ...groups.flatMap(({ name, operations }) =>
      operations.map((at): Content => {
        const parts = operationParts(reference, at);
        const call = calls.get(parts.id);
        if (call === undefined) throw new Error(`${parts.id} has no example`);
        const description = `${parts.method.toUpperCase()} ${parts.path}`;
        const main = operationMain(reference, name, parts, call);
        return { address: operationAddress(parts.id), title: parts.summary, description, main };
      }),
    ),
    ...webhooks.map((webhook): Content => {
      const { type } = webhook;
      return { address: webhookAddress(type), title: type, main: webhookMain(reference, webhook) };
    }),
    ...Object.keys(schemas).map((name): Content => {
      return { address: schemaAddress(name), title: name, main: schemaMain(reference, name, uses) };
    }),
  ];
}
