import { isObject, type Json, type JsonObject } from "../domain/json.ts";
import type { InputCheckOptions } from "../domain/workflow/input-checker.ts";

export interface FittedCheck {
  readonly schema: JsonObject;
  readonly value: JsonObject;
  readonly passedOver: ReadonlySet<string>;
}

/**
 * A secret has the value "", and the root's subschemas for it become `true`, also inside `allOf` and the like, so that
 * a choice between alternatives does not depend on it.
 */
export function fitToSecrets(
  schema: JsonObject,
  value: JsonObject,
  { sensitiveAliases = [], inherited = [] }: InputCheckOptions,
): FittedCheck {
  if (sensitiveAliases.length === 0 && inherited.length === 0)
    return { schema, value, passedOver: new Set() };
  const text = JSON.stringify(schema);
  const isMentioned = (name: string) => text.includes(JSON.stringify(name));
  const secrets = new Set(sensitiveAliases.filter((name) => !Object.hasOwn(value, name)));
  const ignorable = new Set([...secrets, ...inherited].filter((name) => !isMentioned(name)));
  const entries = [...Object.entries(value), ...[...secrets].map((name) => [name, ""] as const)];
  return {
    schema: secrets.size === 0 ? schema : withoutNames(schema, secrets),
    value: Object.fromEntries(entries.filter(([name]) => !ignorable.has(name))),
    passedOver: secrets,
  };
}

/** The schemas of these keywords apply to the same value. */
const listsInPlace = ["allOf", "anyOf", "oneOf"];
const singlesInPlace = ["if", "then", "else", "not"];

function withoutNames(schema: JsonObject, names: ReadonlySet<string>): JsonObject {
  const visit = (item: Json): Json => (isObject(item) ? withoutNames(item, names) : item);
  const visitValues = (of: JsonObject) => mapValues(of, visit);
  return mapValues(schema, (item, keyword) => {
    if (keyword === "properties" && isObject(item)) {
      return mapValues(item, (property, name) => (names.has(name) ? true : property));
    }
    if (listsInPlace.includes(keyword) && Array.isArray(item)) return item.map(visit);
    if (singlesInPlace.includes(keyword)) return visit(item);
    return keyword === "dependentSchemas" && isObject(item) ? visitValues(item) : item;
  });
}

function mapValues(object: JsonObject, map: (value: Json, name: string) => Json): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(value, name)]));
}
