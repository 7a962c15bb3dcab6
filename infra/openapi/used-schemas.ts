import type { OpenApiDocument } from "./document-parts.ts";
import { nameOfReference, schemaPrefix } from "./schema-tree.ts";

/** A request's and a response's schema need two names only where both exist. */
export function withUsedSchemas(document: OpenApiDocument): OpenApiDocument {
  const { schemas = {}, ...components } = document.components ?? {};
  const used = namesIn({ ...document, components }, schemas);
  const nameOf = (name: string): string => {
    const short = name.replace(/Output$/, "");
    return used.has(short) ? name : short;
  };
  const kept = Object.entries(schemas)
    .filter(([name]) => used.has(name))
    .map(([name, schema]) => [nameOf(name), schema] as const)
    .sort(([a], [b]) => a.localeCompare(b));
  const result = { ...document, components: { ...components, schemas: Object.fromEntries(kept) } };
  return JSON.parse(
    JSON.stringify(result, (_key, value: unknown) => {
      // The name is in a reference, or in a discriminator's mapping.
      const name = nameOfReference(value);
      return name === undefined ? value : `${schemaPrefix}${nameOf(name)}`;
    }),
  ) as OpenApiDocument;
}

function namesIn(root: unknown, schemas: Readonly<Record<string, unknown>>): ReadonlySet<string> {
  const used = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      const name = key === "$ref" ? nameOfReference(inner) : undefined;
      if (name === undefined) visit(inner);
      else if (!used.has(name)) {
        used.add(name);
        visit(schemas[name]);
      }
    }
  };
  visit(root);
  return used;
}
