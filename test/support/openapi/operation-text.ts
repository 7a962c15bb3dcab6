import { componentSchemas, type OpenApiDocument } from "../../../infra/openapi/document-parts.ts";
import { nameOfReference } from "../../../infra/openapi/schema-tree.ts";
import { operationsIn } from "./document-parts.ts";

/** All that the document says of an operation's request, with the components that it refers to. */
export function requestText(document: OpenApiDocument, id: string): string {
  const components = componentSchemas(document);
  const seen = new Set<string>();
  const textOf = (value: unknown): string => {
    const text = JSON.stringify(value);
    const names = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref]) => nameOfReference(ref) ?? "");
    const unseen = [...new Set(names)].filter((name) => name in components && !seen.has(name));
    for (const name of unseen) seen.add(name);
    return [text, ...unseen.map((name) => textOf(components[name]))].join("\n");
  };
  const found = operationsIn(document).find(({ operation }) => operation.operationId === id);
  const { description, parameters = [], requestBody = {} } = found?.operation ?? {};
  return textOf({ description, parameters, requestBody });
}
