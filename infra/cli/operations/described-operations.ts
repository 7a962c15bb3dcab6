import * as z from "zod";
import { allOperations } from "../../../shared/contract/operations/all-operations.ts";
import { calledOperations } from "../../../shared/contract/operations/called-operations.ts";
import type { Operation } from "../../../shared/contract/operations/operation.ts";
import { commandNameOf } from "./command-names.ts";
import type { DescribedField, DescribedOperation, ValueKind } from "./described-operation.ts";

interface JsonSchema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly description?: string;
  readonly examples?: readonly unknown[];
  /** What the documents say of a schema that reads text. */
  readonly wire?: JsonSchema;
}

/** A value of such a field is read from a file or from standard input: other programs can read the arguments of this one. */
const secretName = /sensitive|secret_access_key|password|api_?key$|token$|service_account_json/i;

/** In the order of the documents. `infra/cli/build/bundle-cli.ts` puts its value into the bundle. */
export const describedOperations: readonly DescribedOperation[] = (allOperations as readonly Operation[]).map(
  describe,
);

function describe(operation: Operation): DescribedOperation {
  const { id, summary, scopes = [], pathParameters, query, body, form, example } = operation;
  const called = calledOperations[id];
  if (called === undefined) throw new Error(`there is no operation ${id}`);
  const path = pathParameters === undefined ? {} : (schemaOf(pathParameters).properties ?? {});
  return {
    id,
    ...called,
    ...commandNameOf(operation),
    summary,
    scopes,
    pathTexts: Object.fromEntries(
      Object.entries(path).map(([name, schema]) => [name, firstSentence(schema.description)]),
    ),
    query: query === undefined ? [] : fieldsOf(schemaOf(query)).map((field) => withExample(field, query)),
    ...(body === undefined ? {} : { body: fieldsOf(schemaOf(body)) }),
    ...(form === undefined ? {} : { takesForm: true }),
    ...(operation.takesIfMatch === true ? { takesIfMatch: true } : {}),
    ...(example === undefined ? {} : { example }),
  };
}

function withExample(field: DescribedField, query: z.ZodType): DescribedField {
  const [first] = schemaOf(query).properties?.[field.name]?.examples ?? [];
  return field.isRequired === true && first !== undefined ? { ...field, example: first } : field;
}

function schemaOf(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, {
    io: "input",
    unrepresentable: "any",
    // zod leaves out both where the text is transformed, as in every query; here they are texts themselves.
    override: ({ zodSchema, jsonSchema }) => {
      const { examples } = z.globalRegistry.get(zodSchema) ?? {};
      const { def } = zodSchema._zod;
      if (examples !== undefined) jsonSchema.examples = examples as unknown[];
      if (def.type === "default") jsonSchema.default = (def as z.core.$ZodDefaultDef).defaultValue as string;
    },
  }) as JsonSchema;
}

/** Of several forms of a body, the fields of all; required are those that each requires. */
function fieldsOf(schema: JsonSchema): readonly DescribedField[] {
  const forms = schema.oneOf ?? schema.anyOf ?? [schema];
  const names = [...new Set(forms.flatMap(({ properties = {} }) => Object.keys(properties)))];
  return names.map((name) => {
    const found = forms.flatMap(({ properties }) => properties?.[name] ?? []);
    const isRequired = forms.every(({ required = [] }) => required.includes(name));
    return fieldOf(name, found, isRequired);
  });
}

function fieldOf(name: string, found: readonly JsonSchema[], isRequired: boolean): DescribedField {
  const [first = {}] = found;
  const wires = found.map((schema) => schema.wire ?? schema);
  const alternatives = wires.flatMap((schema) => schema.anyOf ?? schema.oneOf ?? [schema]);
  const values = alternatives.filter(({ type }) => type !== "null");
  const lists = values.filter(({ type }) => type === "array");
  const isList = lists.length > 0 && values.every(({ type }) => type === "array" || type === "string");
  const each = isList ? lists.map(({ items = {} }) => items) : values;
  const choices = choicesOf(each);
  const kind = kindOf(each);
  const preset = first.default ?? first.wire?.default;
  return {
    name,
    kind: isList && kind !== "text" ? "json" : kind,
    ...(isList && kind === "text" ? { isList } : {}),
    ...(values.length < alternatives.length ? { isNullable: true } : {}),
    ...(secretName.test(name) ? { isSecret: true } : {}),
    ...(isRequired && preset === undefined ? { isRequired } : {}),
    ...(choices.length > 0 ? { choices } : {}),
    ...(preset === undefined ? {} : { preset }),
    text: firstSentence(first.description),
  };
}

function kindOf(schemas: readonly JsonSchema[]): ValueKind {
  const types = new Set(schemas.map(({ type, const: one }) => type ?? typeof one));
  const [type = "json"] = types;
  if (types.size > 1) return "json";
  if (type === "string") return "text";
  if (type === "object") return schemas.length > 1 ? "json" : "pairs";
  return type === "integer" || type === "number" || type === "boolean" ? type : "json";
}

function choicesOf(schemas: readonly JsonSchema[]): readonly string[] {
  const known = schemas.map(({ enum: allowed, const: one }) => allowed ?? (one === undefined ? [] : [one]));
  if (known.some((allowed) => allowed.length === 0)) return [];
  return known.flat().filter((value) => typeof value === "string");
}

function firstSentence(text = ""): string {
  return text.match(/^.*?[.:;](?=\s|$)/su)?.[0].replace(/[:;]$/, ".") ?? text;
}
