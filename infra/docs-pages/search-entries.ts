import { propertiesOf, referredName, type Schema } from "../openapi/schema-tree.ts";
import type { SearchEntry } from "./browser/search/search-entry.ts";
import type { OperationParts } from "./page/operation-parts.ts";
import {
  anchorOf,
  conventionsPath,
  operationAddress,
  type Reference,
  schemaAddress,
  webhookAddress,
} from "./reference.ts";

/** Returns the entries that the search finds: pages before fields, and each field once, where a reader needs it. */
export function searchEntries(
  reference: Reference,
  operations: readonly OperationParts[],
): readonly SearchEntry[] {
  const { document, schemas, webhooks } = reference;
  const bodies = new Set(operations.map(({ body }) => referredName(body?.schema ?? {})));
  const [, ...sections] = (document.info.description ?? "").split(/\n+## /);
  return [
    ...operations.map(({ id, method, path, summary, description }) =>
      entry(method.toUpperCase(), summary, path, operationAddress(id), description),
    ),
    ...webhooks.map(({ type, operation: { summary = "" } }) =>
      entry("EVENT", type, plain(summary), webhookAddress(type)),
    ),
    ...sections.map((section) => {
      const [title = "", ...text] = section.split("\n");
      return entry("GUIDE", title, "Conventions", `${conventionsPath}#${anchorOf(title)}`, text.join(" "));
    }),
    ...Object.entries(schemas).map(([name, schema]) =>
      entry("SCHEMA", name, "", schemaAddress(name), schema.description as string | undefined),
    ),
    ...operations.flatMap((parts) => fieldsOfOperation(parts, schemas)),
    ...Object.entries(schemas)
      .filter(([name]) => !bodies.has(name))
      .flatMap(([name, schema]) =>
        propertiesOf(schema).map(([field, { description }]) =>
          entry("FIELD", field, name, `${schemaAddress(name)}#${field}`, description as string | undefined),
        ),
      ),
  ];
}

function fieldsOfOperation(
  { id, method, path, parameters, body }: OperationParts,
  schemas: Reference["schemas"],
): readonly SearchEntry[] {
  const where = `${method.toUpperCase()} ${path}`;
  const address = operationAddress(id);
  const ofBody: Schema = schemas[referredName(body?.schema ?? {}) ?? ""] ?? body?.schema ?? {};
  return [
    ...(["path", "query"] as const).flatMap((place) =>
      parameters[place].map(({ name, description }) =>
        entry("FIELD", name, where, `${address}#${place}.${name}`, description),
      ),
    ),
    ...propertiesOf(ofBody).map(([name, { description }]) =>
      entry("FIELD", name, where, `${address}#body.${name}`, description as string | undefined),
    ),
  ];
}

function entry(kind: string, title: string, where: string, address: string, description = ""): SearchEntry {
  const [first = ""] = plain(description).split(/(?<=\.)\s/);
  return [kind, title, where, address, first];
}

function plain(text: string): string {
  return text.replaceAll("`", "");
}
