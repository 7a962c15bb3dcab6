import type { Item, Key } from "./item.ts";

/** Attribute names stand for themselves, reserved words too; values stand as `:name`. */
export interface Condition {
  readonly expression: string;
  readonly values?: Item;
}

interface Put {
  readonly kind: "put";
  readonly item: Item & Key;
  readonly condition?: Condition | undefined;
}

interface Update {
  readonly kind: "update";
  readonly key: Key;
  readonly change: Change;
  readonly condition?: Condition | undefined;
}

interface Delete {
  readonly kind: "delete";
  readonly key: Key;
  readonly condition?: Condition | undefined;
}

interface Check {
  readonly kind: "check";
  readonly key: Key;
  readonly condition: Condition;
}

export type Write = Put | Update | Delete | Check;

export function put(item: Item & Key, condition?: Condition): Put {
  return { kind: "put", item, condition };
}

export function update(key: Key, change: Change, condition?: Condition): Update {
  return { kind: "update", key, change, condition };
}

export function remove(key: Key, condition?: Condition): Delete {
  return { kind: "delete", key, condition };
}

export function check(key: Key, condition: Condition): Check {
  return { kind: "check", key, condition };
}

/** In `set`, undefined attributes are unchanged and null ones are removed. */
export interface Change {
  readonly set?: Item;
  /** The texts are expressions over attributes and `:values`, such as `if_not_exists(error_pk, :status_pk)`. */
  readonly compute?: Readonly<Record<string, string>>;
  readonly values?: Item;
  readonly remove?: readonly string[];
  /** A missing attribute counts as 0 and as an empty set. */
  readonly add?: Readonly<Record<string, number | ReadonlySet<string>>>;
  /** DynamoDB has no empty set, so the attribute is removed with its last element. */
  readonly delete?: Readonly<Record<string, ReadonlySet<string>>>;
}

export interface Expressions {
  readonly updateExpression?: string;
  readonly conditionExpression?: string;
  readonly names: Readonly<Record<string, string>>;
  readonly values: Item;
}

const operators: ReadonlySet<string> = new Set(["AND", "OR", "NOT", "BETWEEN", "IN"]);

/**
 * Every attribute becomes a placeholder, because more than 500 common words are reserved.
 *
 * Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ReservedWords.html
 */
export function expressions(change: Change | undefined, condition: Condition | undefined): Expressions {
  const names: Record<string, string> = {};
  const values: Record<string, unknown> = {};
  const place = (attribute: string) => {
    names[`#${attribute}`] = attribute;
    return `#${attribute}`;
  };
  const translate = (text: string) =>
    // A word before a parenthesis is a function.
    text.replace(/:?[A-Za-z_]\w*\b(?!\()/g, (word) =>
      word.startsWith(":") || operators.has(word) ? word : place(word),
    );
  const bind = (given: Item | undefined) => {
    for (const [name, value] of Object.entries(given ?? {})) values[`:${name}`] = value;
  };

  const sets: string[] = [];
  const removes = (change?.remove ?? []).map(place);
  for (const [attribute, value] of Object.entries(change?.set ?? {})) {
    if (value === undefined) continue;
    if (value === null) {
      removes.push(place(attribute));
      continue;
    }
    values[`:set_${attribute}`] = value;
    sets.push(`${place(attribute)} = :set_${attribute}`);
  }
  for (const [attribute, text] of Object.entries(change?.compute ?? {})) {
    sets.push(`${place(attribute)} = ${translate(text)}`);
  }
  const adds = Object.entries(change?.add ?? {}).map(([attribute, by]) => {
    values[`:add_${attribute}`] = by;
    return `${place(attribute)} :add_${attribute}`;
  });
  const deletes = Object.entries(change?.delete ?? {}).map(([attribute, elements]) => {
    values[`:delete_${attribute}`] = elements;
    return `${place(attribute)} :delete_${attribute}`;
  });
  bind(change?.values);
  bind(condition?.values);

  const clauses = [
    ...(sets.length > 0 ? [`SET ${sets.join(", ")}`] : []),
    ...(removes.length > 0 ? [`REMOVE ${removes.join(", ")}`] : []),
    ...(adds.length > 0 ? [`ADD ${adds.join(", ")}`] : []),
    ...(deletes.length > 0 ? [`DELETE ${deletes.join(", ")}`] : []),
  ];
  return {
    ...(clauses.length > 0 ? { updateExpression: clauses.join(" ") } : {}),
    ...(condition ? { conditionExpression: translate(condition.expression) } : {}),
    names,
    values,
  };
}

export const isLiving = "attribute_exists(pk) AND attribute_not_exists(deleted_at)";

export const living: Condition = { expression: isLiving };

export const isDeleted: Condition = { expression: "attribute_exists(deleted_at)" };

export const isThere: Condition = { expression: "attribute_exists(pk)" };

export const isNew: Condition = { expression: "attribute_not_exists(pk)" };

export function isAsRead({ revision }: { readonly revision: number }): Condition {
  return { expression: `${isLiving} AND revision = :revision`, values: { revision } };
}

/** Null requires that the attribute is absent. */
export function hasValue(
  attribute: string,
  value: string | number | boolean | readonly string[] | null,
): Condition {
  if (value === null) return { expression: `attribute_not_exists(${attribute})` };
  const name = `is_${attribute}`;
  return { expression: `${attribute} = :${name}`, values: { [name]: value } };
}

/** For no values the condition never holds, which DynamoDB cannot express. */
export function isOneOf(attribute: string, values: readonly (string | number)[]): Condition {
  const named = Object.fromEntries(values.map((value, index) => [`${attribute}_${index}`, value]));
  const names = Object.keys(named).map((name) => `:${name}`);
  if (names.length === 0) return { expression: "attribute_not_exists(pk)" };
  return { expression: `${attribute} IN (${names.join(", ")})`, values: named };
}

/** A condition that contains an OR must be in parentheses. */
export function allOf(...conditions: readonly (Condition | undefined)[]): Condition {
  const given = conditions.filter((condition) => condition !== undefined);
  return {
    expression: given.map(({ expression }) => expression).join(" AND "),
    values: Object.assign({}, ...given.map(({ values }) => values)),
  };
}
