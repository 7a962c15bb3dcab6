import type { oas32 } from "zod-openapi";
import { componentSchemas, documentedOperations, type OpenApiDocument } from "./document-parts.ts";
import {
  alternativesOf,
  innerSchemas,
  isSchema,
  propertiesOf,
  referredName,
  type Schema,
} from "./schema-tree.ts";

/** These describe a property, not its value. */
const ofProperty = ["description", "default", "example", "examples", "title", "deprecated"] as const;

/** Null in an optional field of a request's body means the same as leaving it out. */
export function takeNulls(document: OpenApiDocument): void {
  const named = componentSchemas(document);
  const seen = new Set<Schema>();
  const resolved = (schema: Schema): Schema => named[referredName(schema) ?? ""] ?? schema;
  const visit = (given: Schema): void => {
    const schema = resolved(given);
    if (seen.has(schema)) return;
    seen.add(schema);
    for (const inner of innerSchemas(schema)) visit(inner);
    const required = (schema.required ?? []) as readonly string[];
    const properties = propertiesOf(schema).map(([name, property]) => {
      const isSame = required.includes(name) || takesNull(resolved(property));
      return [name, isSame ? property : withNull(property, resolved(property))] as const;
    });
    if (properties.length > 0) schema.properties = Object.fromEntries(properties);
  };
  for (const { operation } of documentedOperations(document)) {
    const { content = {} } = (operation.requestBody ?? {}) as Partial<oas32.RequestBodyObject>;
    for (const { schema } of Object.values(content) as oas32.MediaTypeObject[])
      if (isSchema(schema)) visit(schema);
  }
}

function takesNull(schema: Schema): boolean {
  const alternatives = alternativesOf(schema);
  if (alternatives.length > 0) return alternatives.some(takesNull);
  return schema.type === "null" || !["type", "enum", "allOf", "$ref"].some((word) => word in schema);
}

function withNull(property: Schema, component: Schema): Schema {
  const outside = ofProperty.flatMap((word) => (word in property ? [[word, property[word]] as const] : []));
  const value = { ...property };
  for (const [word] of outside) delete value[word];
  const description = property.description ?? component.description;
  return {
    ...Object.fromEntries(outside),
    ...(description === undefined ? {} : { description }),
    anyOf: [...("anyOf" in value ? alternativesOf(value) : [value]), { type: "null" }],
  };
}
