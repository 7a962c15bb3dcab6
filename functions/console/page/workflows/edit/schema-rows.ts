import type { FieldSchema } from "../../parts/form/schema-fields.ts";

export const rowTypes = ["text", "number", "integer", "boolean", "choice"] as const;
type RowType = (typeof rowTypes)[number];

/** A field of a schema as a line of a form. */
export interface SchemaRow {
  readonly name: string;
  /** Of another type than the form knows: it is kept, and changed as JSON. */
  readonly type: RowType | "other";
  readonly description: string;
  readonly isRequired: boolean;
  /** Of a choice, separated by commas. */
  readonly choices: string;
  /** What else the schema says of it; the form keeps it. */
  readonly rest: Readonly<Record<string, unknown>>;
}

export const newRow: SchemaRow = {
  name: "",
  type: "text",
  description: "",
  isRequired: true,
  choices: "",
  rest: {},
};

type JsonSchema = Readonly<Record<string, unknown>>;

/** @returns undefined for a schema that is more than a list of fields. */
export function rowsOf(schema: JsonSchema | null): readonly SchemaRow[] | undefined {
  if (schema === null) return [];
  const { type, properties = {} } = schema as FieldSchema;
  const required = Array.isArray(schema.required) ? schema.required : [];
  const isList = type === "object" || (type === undefined && "properties" in schema);
  const isReadable = typeof properties === "object" && Object.values(properties).every(isObject);
  if (!isList || !isReadable || required.some((name) => !Object.hasOwn(properties, String(name)))) {
    return undefined;
  }
  return Object.entries(properties).map(([name, field]) => {
    const { type: fieldType, enum: choices, description, ...rest } = field as FieldSchema;
    const type = rowTypeOf(field as FieldSchema);
    return {
      name,
      type,
      description: description ?? "",
      isRequired: required.includes(name),
      choices: type === "choice" ? (choices ?? []).join(", ") : "",
      rest: type === "other" ? { type: fieldType, ...(choices && { enum: choices }), ...rest } : rest,
    };
  });
}

function rowTypeOf({ type, enum: choices }: FieldSchema): SchemaRow["type"] {
  if (choices !== undefined) {
    const isPlain = choices.every((each) => typeof each === "string" && !each.includes(","));
    return isPlain && (type === undefined || type === "string") ? "choice" : "other";
  }
  if (type === "string") return "text";
  if (type === "number" || type === "integer" || type === "boolean") return type;
  return "other";
}

/** Lines without a name are left out, and no schema is left of none. What else the schema said stays. */
export function schemaOf(rows: readonly SchemaRow[], before: JsonSchema | null): JsonSchema | null {
  const named = rows.filter(({ name }) => name.trim() !== "");
  const { type: _type, properties: _properties, required: _required, ...rest } = before ?? {};
  if (named.length === 0 && Object.keys(rest).length === 0) return null;
  const required = named.filter(({ isRequired }) => isRequired).map(({ name }) => name.trim());
  return {
    ...rest,
    type: "object",
    properties: Object.fromEntries(named.map((row) => [row.name.trim(), fieldOf(row)])),
    ...(required.length > 0 && { required }),
  };
}

function fieldOf({ type, description, choices, rest }: SchemaRow): JsonSchema {
  const described = description === "" ? {} : { description };
  if (type === "other") return { ...rest, ...described };
  if (type === "choice") {
    const given = choices.split(",").map((each) => each.trim());
    return { type: "string", enum: [...new Set(given.filter((each) => each !== ""))], ...described, ...rest };
  }
  return { type: type === "text" ? "string" : type, ...described, ...rest };
}

export function namesOf(schema: JsonSchema | null): readonly string[] {
  const properties = schema?.properties;
  return isObject(properties) ? Object.keys(properties) : [];
}

/** A required text of that name, beside what the schema has. */
export function withField(schema: JsonSchema | null, name: string): JsonSchema {
  const properties = isObject(schema?.properties) ? schema.properties : {};
  const required = Array.isArray(schema?.required) ? schema.required : [];
  return {
    type: "object",
    ...schema,
    properties: { ...properties, [name]: { type: "string" } },
    required: [...required, name],
  };
}

function isObject(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
