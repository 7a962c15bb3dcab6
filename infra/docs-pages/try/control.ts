import { isSchema, propertiesOf, referredName, type Schema } from "../../openapi/schema-tree.ts";
import type { Reference } from "../reference.ts";
import type { Field } from "../schema/fields.ts";
import { listedValues, withoutNull } from "../schema/type-words.ts";

/** The kind decides how the control's text becomes a value. */
export type ControlKind = "text" | "prose" | "number" | "boolean" | "list" | "pairs" | "json" | "file";

export interface Control {
  readonly place: "path" | "query" | "header" | "body" | "whole";
  readonly name: string;
  readonly label?: string;
  readonly kind: ControlKind;
  readonly isRequired: boolean;
  readonly example?: unknown;
  /** The values to choose from. */
  readonly values?: readonly string[];
  readonly min?: number;
  readonly max?: number;
}

/** Texts that may be longer get more than one line. */
const lineCharactersMax = 1_000;

export function controlOf(place: Control["place"], field: Field, { schemas }: Reference): Control {
  const { name, isRequired } = field;
  const bare = withoutNull(field.schema);
  const schema = { ...schemas[referredName(bare) ?? ""], ...bare };
  const kind = kindOf(place, schema);
  const values =
    kind === "boolean" ? ["true", "false"] : kind === "text" ? listedValues(schema).map(String) : [];
  const example = field.example ?? (schema.examples as readonly unknown[] | undefined)?.[0];
  return {
    place,
    name,
    kind,
    isRequired,
    ...(example !== undefined && { example: kind === "pairs" ? "name=value" : example }),
    ...(values.length > 0 && { values }),
    ...(typeof schema.minimum === "number" && { min: schema.minimum }),
    ...(typeof schema.maximum === "number" && { max: schema.maximum }),
  };
}

function kindOf(place: Control["place"], schema: Schema): ControlKind {
  const { type, maxLength, items } = schema;
  if (type === "integer" || type === "number") return "number";
  if (type === "boolean") return "boolean";
  if (type === "string") {
    const isLong =
      maxLength === undefined || (typeof maxLength === "number" && maxLength > lineCharactersMax);
    return place === "body" && isLong && schema.format === undefined && listedValues(schema).length === 0
      ? "prose"
      : "text";
  }
  if (place !== "body") return type === "object" ? "pairs" : "list";
  const isOfTexts =
    type === "array" && isSchema(items) && items.type === "string" && propertiesOf(items).length === 0;
  return isOfTexts ? "list" : "json";
}
