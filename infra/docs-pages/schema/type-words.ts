import { html } from "hono/html";
import { alternativesOf, isSchema, referredName, type Schema } from "../../openapi/schema-tree.ts";
import type { Html } from "../page/html.ts";
import { schemaAddress } from "../reference.ts";

/** `array of Run`, `string (uuid) or null`; the name of a schema leads to its page. */
export function typeWords(schema: Schema): Html {
  const name = referredName(schema);
  if (name !== undefined) return html`<a href="${schemaAddress(name)}">${name}</a>`;
  const alternatives = alternativesOf(schema);
  if (alternatives.length > 0) {
    const words = alternatives.map((each, at) => html`${at === 0 ? "" : " or "}${typeWords(each)}`);
    return html`${words}`;
  }
  const { type, items, additionalProperties, properties, enum: values, const: value } = schema;
  if (type === "array") return isSchema(items) ? html`array of ${typeWords(items)}` : html`array`;
  if (type === "object" && properties === undefined && isSchema(additionalProperties)) {
    const isAny = Object.keys(additionalProperties).length === 0;
    return isAny ? html`object` : html`object of ${typeWords(additionalProperties)}`;
  }
  if (type === undefined && values === undefined && value === undefined) return html`any value`;
  return html`${String(type ?? typeof (value ?? (values as readonly unknown[])[0]))}${kindOf(schema)}`;
}

function kindOf({ format, contentEncoding }: Schema): string {
  if (contentEncoding === "base64") return " (base64)";
  if (format === "binary") return " (bytes)";
  return format === undefined ? "" : ` (${format})`;
}

/** The values that a schema lists, those of its items or of its one alternative beside null included. */
export function listedValues(schema: Schema): readonly unknown[] {
  const bare = withoutNull(schema);
  const inner = isSchema(bare.items) ? bare.items : bare;
  return (inner.enum as readonly unknown[] | undefined) ?? (inner.const === undefined ? [] : [inner.const]);
}

/** Returns the bounds that a value has beside its type, as short sentences. */
export function bounds(schema: Schema): readonly string[] {
  const bare = withoutNull(schema);
  const ofItems = isSchema(bare.items) ? ownBounds(bare.items).map((bound) => `each ${bound}`) : [];
  return [...ownBounds(bare), ...ofItems];
}

function ownBounds(schema: Schema): readonly string[] {
  const { pattern, uniqueItems } = schema;
  const found = [
    range(schema.minLength, schema.maxLength, "character"),
    range(schema.minItems, schema.maxItems, "item"),
    range(schema.minProperties, schema.maxProperties, "pair"),
    range(schema.minimum ?? schema.exclusiveMinimum, schema.maximum, ""),
    uniqueItems === true ? "no item twice" : undefined,
    // The pattern of a format says nothing beyond the format's name.
    typeof pattern === "string" && schema.format === undefined && pattern.length <= 60
      ? `matches \`${pattern}\``
      : undefined,
  ];
  return found.filter((bound) => bound !== undefined);
}

function range(min: unknown, max: unknown, unit: string): string | undefined {
  const isMax = typeof max === "number" && max < Number.MAX_SAFE_INTEGER;
  const isMin = typeof min === "number" && min > (unit === "" ? Number.MIN_SAFE_INTEGER : 0);
  if (!isMin && !isMax) return undefined;
  const counted = isMax ? max : min;
  const units = unit === "" ? "" : ` ${unit}${counted === 1 ? "" : "s"}`;
  const written = (value: unknown) => (value as number).toLocaleString("en-US");
  if (!isMin) return `at most ${written(max)}${units}`;
  if (!isMax) return `at least ${written(min)}${units}`;
  return min === max ? `exactly ${written(max)}${units}` : `${written(min)} to ${written(max)}${units}`;
}

/** The one alternative beside null, or the schema itself. */
export function withoutNull(schema: Schema): Schema {
  const others = alternativesOf(schema).filter(({ type }) => type !== "null");
  return others.length === 1 && others[0] !== undefined
    ? { ...schema, anyOf: undefined, ...others[0] }
    : schema;
}
