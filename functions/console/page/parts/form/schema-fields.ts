/** The parts of a JSON Schema that a form shows; the service checks all of it. */
export interface FieldSchema {
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly properties?: Readonly<Record<string, FieldSchema>>;
  readonly required?: readonly string[];
}

/** A form's fields, by their names in a request's body. */
export type FormSchema = FieldSchema & { readonly properties: Readonly<Record<string, FieldSchema>> };

type FieldKind = "text" | "lines" | "number" | "integer" | "boolean" | "choice" | "json";

export interface SchemaField {
  readonly name: string;
  readonly label: string;
  readonly hint: string | undefined;
  readonly kind: FieldKind;
  readonly isRequired: boolean;
  readonly choices: readonly string[];
  readonly schema: FieldSchema;
  /** What the form shows first. */
  readonly text: string;
}

/** A value longer than this is written in several lines. */
const lineLengthMax = 200;

function kindOf({ type, enum: choices, maxLength, format }: FieldSchema): FieldKind {
  if (choices !== undefined) return "choice";
  const [first] = [type].flat().filter((each) => each !== "null");
  if (first === "number" || first === "integer" || first === "boolean") return first;
  if (first === "object" || first === "array") return "json";
  const isLong = maxLength !== undefined && maxLength > lineLengthMax && format === undefined;
  return isLong ? "lines" : "text";
}

/** The fields of a form for an object of that schema, in its order. */
export function fieldsOf(schema: FieldSchema): readonly SchemaField[] {
  return Object.entries(schema.properties ?? {}).map(([name, field]) => ({
    name,
    label: field.title ?? name,
    hint: field.description,
    kind: kindOf(field),
    isRequired: schema.required?.includes(name) ?? false,
    choices: (field.enum ?? []).map(textOf),
    schema: field,
    text: field.default === undefined ? "" : textOf(field.default),
  }));
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

type FieldValue =
  | { readonly kind: "left_out" }
  | { readonly kind: "value"; readonly value: unknown }
  | { readonly kind: "problem"; readonly text: string };

/** What a field's text stands for. An empty field is left out. */
function fieldValue({ kind, schema, isRequired, label }: SchemaField, text: string): FieldValue {
  if (text === "") {
    return isRequired ? { kind: "problem", text: `${label} is required.` } : { kind: "left_out" };
  }
  if (kind === "boolean") return { kind: "value", value: text === "true" };
  if (kind === "number" || kind === "integer") {
    const value = Number(text);
    const isFit = kind === "integer" ? Number.isInteger(value) : Number.isFinite(value);
    return isFit
      ? { kind: "value", value }
      : { kind: "problem", text: `${label} must be ${kind === "integer" ? "a whole number" : "a number"}.` };
  }
  if (kind === "choice") {
    return { kind: "value", value: schema.enum?.find((choice) => textOf(choice) === text) };
  }
  if (kind === "json") {
    try {
      return { kind: "value", value: JSON.parse(text) };
    } catch {
      return { kind: "problem", text: `${label} must be JSON.` };
    }
  }
  return { kind: "value", value: text };
}

/** All fields together, or the problems by field. */
export function valuesOf(
  fields: readonly SchemaField[],
  texts: Readonly<Record<string, string>>,
): {
  readonly values: Readonly<Record<string, unknown>>;
  readonly problems: Readonly<Record<string, string>>;
} {
  const values: Record<string, unknown> = {};
  const problems: Record<string, string> = {};
  for (const field of fields) {
    const read = fieldValue(field, texts[field.name] ?? field.text);
    if (read.kind === "value") values[field.name] = read.value;
    if (read.kind === "problem") problems[field.name] = read.text;
  }
  return { values, problems };
}
