import { componentSchemas, type OpenApiDocument } from "./document-parts.ts";
import { alternativesOf, innerSchemas, propertiesOf, type Schema } from "./schema-tree.ts";
import { propertyDescriptions } from "./words/property-descriptions.ts";
import { schemaDescriptions } from "./words/schema-descriptions.ts";

/** Has every component speak in the way that generators understand, and say what it and its properties are. */
export function completeSchemas(document: OpenApiDocument): void {
  for (const [name, schema] of Object.entries(componentSchemas(document))) {
    const own = ownName(name);
    schema.description ??= schemaDescriptions[own];
    speakPlainly(schema);
    for (const [property, inner] of propertiesOf(schema)) {
      const description = propertyDescriptions[`${own}.${property}`] ?? propertyDescriptions[property];
      if (description !== undefined && inner.$ref === undefined) inner.description ??= description;
    }
  }
}

/** Without the suffix of one that exists for requests, too. */
export function ownName(component: string): string {
  return component.replace(/Output$/, "");
}

/** A constant is an enum of one value; null is the last alternative of a union, which has no union inside. */
function speakPlainly(schema: Schema): void {
  for (const inner of innerSchemas(schema)) speakPlainly(inner);
  // What zod writes beside a reference is the component's own.
  if ("$ref" in schema) delete schema.additionalProperties;
  if (Array.isArray(schema.type)) {
    const { type, description, ...beside } = schema;
    for (const key of Object.keys(beside)) delete schema[key];
    delete schema.type;
    schema.anyOf = (type as string[]).map((one) =>
      one === "null" ? { type: one } : { type: one, ...beside },
    );
  }
  if ("const" in schema) {
    schema.enum = [schema.const];
    delete schema.const;
  }
  const { anyOf } = schema;
  if (Array.isArray(anyOf)) {
    const flat = (anyOf as Schema[]).flatMap((one) => (isBareUnion(one) ? alternativesOf(one) : [one]));
    schema.anyOf = [
      ...flat.filter(({ type }) => type !== "null"),
      ...flat.filter(({ type }) => type === "null"),
    ];
  }
}

function isBareUnion(schema: Schema): boolean {
  return "anyOf" in schema && Object.keys(schema).length === 1;
}
