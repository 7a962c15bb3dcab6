import type { SchemaField } from "./schema-fields.ts";

/**
 * The fields of a form that a person has changed, as a PATCH takes them: an emptied text is empty, an emptied value of
 * another kind null.
 */
export function changedValues(
  fields: readonly SchemaField[],
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
  values: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const changed = fields.filter(({ name }) => (before[name] ?? "") !== (after[name] ?? ""));
  return Object.fromEntries(changed.map((field) => [field.name, values[field.name] ?? emptied(field)]));
}

function emptied({ kind }: SchemaField): unknown {
  return kind === "text" || kind === "lines" ? "" : null;
}
