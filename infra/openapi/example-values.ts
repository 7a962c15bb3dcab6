import { createHash } from "node:crypto";
import { alternativesOf, propertiesOf, referredName, type Schema } from "./schema-tree.ts";

/** JSON has no bytes, so contents of these media types are shown as data URLs. */
export const binaryExamples: Readonly<Record<string, string>> = {
  "image/png":
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==",
  "application/octet-stream": "data:application/octet-stream;base64,SGVsbG8=",
  "*/*": "data:text/csv;base64,YSxiCjEsMgo=",
};

const formatExamples: Readonly<Record<string, string>> = {
  "date-time": "2026-11-21T12:00:00.000Z",
  date: "2026-11-21",
  uri: "https://files.example.com/0198c0de?signature=abc",
};

/** An id's example is the same wherever a property or parameter has this name. */
export function exampleUuid(name: string): string {
  return `0198c0de-7a1b-7c3d-9e4f-${createHash("sha256").update(name).digest("hex").slice(0, 12)}`;
}

/** The example of a nullable scalar is null. */
export function createExampleMaker(
  components: Readonly<Record<string, Schema>>,
): (schema: Schema) => unknown {
  return (schema) => exampleOf(schema, "");

  function exampleOf(schema: Schema, property: string): unknown {
    if (Array.isArray(schema.examples)) return schema.examples[0];
    const name = referredName(schema);
    if (name !== undefined) return exampleOf(components[name] ?? {}, property);
    if (schema.default !== undefined) return schema.default;
    if (Array.isArray(schema.enum)) return schema.enum[0];
    const [alternative, ...others] = alternativesOf(schema);
    if (alternative !== undefined) {
      const isAbsent = others.some(({ type }) => type === "null") && isScalar(alternative);
      return isAbsent ? null : exampleOf(alternative, property);
    }
    if (schema.type === "array") return [exampleOf((schema.items ?? {}) as Schema, property)];
    if (schema.type !== "object") return scalarOf(schema, property);
    return Object.fromEntries(propertiesOf(schema).map(([key, inner]) => [key, exampleOf(inner, key)]));
  }

  function isScalar(schema: Schema): boolean {
    const { type, enum: values } = components[referredName(schema) ?? ""] ?? schema;
    return values !== undefined || (typeof type === "string" && !["array", "object"].includes(type));
  }
}

function scalarOf({ type, format, contentEncoding, minimum }: Schema, property: string): unknown {
  if (type === "string" && (format === "uuid" || /(^|_)id$/.test(property))) return exampleUuid(property);
  if (type === "string" && contentEncoding === "base64") return "SGVsbG8=";
  if (type === "string") return formatExamples[String(format)] ?? "text";
  if (type === "integer" || type === "number") return Math.max(Number(minimum ?? 1), 1);
  if (type === "boolean") return true;
  return null;
}
