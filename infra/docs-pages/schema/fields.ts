import { html } from "hono/html";
import {
  alternativesOf,
  isSchema,
  propertiesOf,
  referredName,
  type Schema,
} from "../../openapi/schema-tree.ts";
import { blocks, type Html, inline, nothing } from "../page/html.ts";
import { bounds, listedValues, typeWords, withoutNull } from "./type-words.ts";

export interface Field {
  readonly name: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
  readonly isDeprecated?: boolean;
  readonly description?: string;
  readonly example?: unknown;
}

interface Place {
  readonly schemas: Readonly<Record<string, Schema>>;
  /** Begins the anchors of the fields; absent where they have none. */
  readonly anchor?: string;
  /** Number of named schemas, one within another, whose fields are shown here and not only on their own pages. */
  readonly levels: number;
  /** `required` says something of a request; a response has all fields that are not marked. */
  readonly marks: "required" | "optional";
}

/** In a request, the required fields come first. */
export function fieldList(fields: readonly Field[], place: Place): Html {
  const rank = ({ isRequired }: Field) => Number(place.marks === "required" && !isRequired);
  const sorted = fields.toSorted((one, other) => rank(one) - rank(other));
  return html`<ul class="fields">${sorted.map((field) => fieldItem(field, place))}</ul>`;
}

/** The fields of a schema, of what its items are, or of each of its alternatives. */
export function schemaFields(schema: Schema, place: Place): Html {
  const name = referredName(schema);
  if (name !== undefined) return schemaFields(place.schemas[name] ?? {}, place);
  const bare = withoutNull(schema);
  if (bare !== schema) return schemaFields(bare, place);
  const alternatives = alternativesOf(schema).filter(({ type }) => type !== "null");
  if (alternatives.length > 0) {
    const inside = { schemas: place.schemas, levels: place.levels - 1, marks: place.marks };
    return html`<p class="quiet">One of:</p>${alternatives.map((each) => alternative(each, inside))}`;
  }
  if (isSchema(schema.items)) return schemaFields(schema.items, place);
  const properties = propertiesOf(schema);
  if (properties.length > 0) return fieldList(fieldsOf(schema), place);
  return isSchema(schema.additionalProperties) ? schemaFields(schema.additionalProperties, place) : nothing;
}

export function fieldsOf(schema: Schema): readonly Field[] {
  const required = new Set(schema.required as readonly string[] | undefined);
  return propertiesOf(schema).map(([name, property]) => ({
    name,
    schema: property,
    isRequired: required.has(name),
    isDeprecated: property.deprecated === true,
  }));
}

function alternative(schema: Schema, place: Place): Html {
  if (!hasFields(schema, place.schemas)) return html`<p>${typeWords(schema)}</p>`;
  return html`<details class="inside"><summary>${referredName(schema) ?? "An object"}</summary>${schemaFields(schema, place)}</details>`;
}

function fieldItem(
  { name, schema, isRequired, isDeprecated, description, example }: Field,
  place: Place,
): Html {
  const { anchor, marks } = place;
  const said = description ?? (schema.description as string | undefined);
  const values = listedValues(place.schemas[innermostName(schema) ?? ""] ?? schema);
  const limits = bounds(schema);
  const standard = withoutNull(schema).default ?? schema.default;
  const shown = example ?? (schema.examples as readonly unknown[] | undefined)?.[0];
  const mark = marks === "required" ? isRequired && "required" : !isRequired && "not always there";
  const facts = [
    ...limits.map((limit) => inline(limit)),
    ...(standard === undefined ? [] : [html`default <code>${JSON.stringify(standard)}</code>`]),
    ...(isScalar(shown) && values.length === 0 ? [html`for example <code>${String(shown)}</code>`] : []),
  ];
  return html`<li${anchor === undefined ? "" : html` id="${anchor}${name}"`}>
<p class="field-head"><code>${name}</code> <span class="type">${typeWords(schema)}</span>${mark ? html` <b class="${marks}">${mark}</b>` : ""}${isDeprecated ? html` <b class="deprecated">deprecated</b>` : ""}</p>
${said === undefined ? "" : blocks(said)}
${values.length === 0 ? "" : html`<p class="values">${values.map((value) => html`<code>${String(value)}</code> `)}</p>`}
${facts.length === 0 ? "" : html`<p class="facts">${facts.map((fact, at) => html`${at === 0 ? "" : " · "}${fact}`)}</p>`}
${insideOf(schema, place)}</li>
`;
}

/** A named schema's fields are shown as deep as there are levels; what has no name has no page of its own. */
function insideOf(schema: Schema, { schemas, levels, marks }: Place): Html {
  const named = innermostName(schema);
  const left = named === undefined ? levels : levels - 1;
  if (left < 0 || !hasFields(schema, schemas)) return nothing;
  const inside = schemaFields(schema, { schemas, marks, levels: left });
  return html`<details class="inside"><summary>${named === undefined ? "Its fields" : `Fields of ${named}`}</summary>${inside}</details>`;
}

function innermostName(schema: Schema): string | undefined {
  const bare = withoutNull(schema);
  const inner = isSchema(bare.items) ? bare.items : bare;
  return referredName(inner);
}

function hasFields(schema: Schema, schemas: Readonly<Record<string, Schema>>): boolean {
  const name = referredName(schema);
  if (name !== undefined) return hasFields(schemas[name] ?? {}, schemas);
  if (propertiesOf(schema).length > 0) return true;
  const { items, additionalProperties } = schema;
  return [items, additionalProperties, ...alternativesOf(schema)]
    .filter(isSchema)
    .some((inner) => hasFields(inner, schemas));
}

function isScalar(value: unknown): value is string | number | boolean {
  return ["string", "number", "boolean"].includes(typeof value);
}
