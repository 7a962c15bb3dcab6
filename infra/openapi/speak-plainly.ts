import { alternativesOf, innerSchemas, type Schema } from "./schema-tree.ts";

/** Client generators expect an enum of one value for a constant, and null as a union's last alternative. */
export function speakPlainly(schema: Schema): void {
  for (const inner of innerSchemas(schema)) speakPlainly(inner);
  // What zod writes beside a reference is the component's own.
  if ("$ref" in schema) delete schema.additionalProperties;
  if (Array.isArray(schema.type)) {
    const { type, description, examples, ...beside } = schema;
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
