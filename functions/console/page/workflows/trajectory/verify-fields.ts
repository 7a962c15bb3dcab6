import { type FieldSchema, fieldsOf, type SchemaField } from "../../parts/form/schema-fields.ts";

type JsonObject = Readonly<Record<string, unknown>>;

/** The recording's inputs with its own values, each of the kind that the workflow's schema or the value itself has. */
export function verifyFields(recorded: JsonObject, schema: JsonObject | null): readonly SchemaField[] {
  const described = (schema as FieldSchema | null)?.properties ?? {};
  const properties = Object.fromEntries(
    Object.entries(recorded).map(([name, value]) => [
      name,
      { ...(described[name] ?? { type: typeOf(value) }), default: value },
    ]),
  );
  return fieldsOf({ properties });
}

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return "array";
  return value === null ? "string" : typeof value;
}

/** Whether at least one value is another one than the recording's, without which nothing is verified. */
export function differs(recorded: JsonObject, values: JsonObject): boolean {
  return Object.entries(recorded).some(
    ([name, value]) => Object.hasOwn(values, name) && JSON.stringify(values[name]) !== JSON.stringify(value),
  );
}
