import type { oas32 } from "zod-openapi";
import { nameOfReference } from "../../openapi/schema-tree.ts";
import type { Reference } from "../reference.ts";

/** Each map has, by the name of a schema, the parts of the document that name it directly. */
export interface SchemaUses {
  readonly operations: ReadonlyMap<string, readonly oas32.OperationObject[]>;
  readonly webhooks: ReadonlyMap<string, readonly string[]>;
  readonly schemas: ReadonlyMap<string, readonly string[]>;
}

export function schemaUses({ groups, webhooks, schemas }: Reference): SchemaUses {
  const operations = groups.flatMap((group) => group.operations.map(({ operation }) => operation));
  return {
    operations: usersOf(operations, (operation) => operation),
    webhooks: new Map(
      [...usersOf(webhooks, ({ operation }) => operation)].map(([name, users]) => [
        name,
        users.map(({ type }) => type),
      ]),
    ),
    schemas: new Map(
      [...usersOf(Object.entries(schemas), ([, schema]) => schema)].map(([name, users]) => [
        name,
        users.map(([user]) => user),
      ]),
    ),
  };
}

function usersOf<T>(users: readonly T[], partOf: (user: T) => unknown): ReadonlyMap<string, readonly T[]> {
  const found = new Map<string, T[]>();
  for (const user of users) {
    for (const name of namesIn(partOf(user))) found.set(name, [...(found.get(name) ?? []), user]);
  }
  return found;
}

function namesIn(part: unknown, names = new Set<string>()): ReadonlySet<string> {
  if (typeof part !== "object" || part === null) return names;
  for (const [key, value] of Object.entries(part)) {
    const name = key === "$ref" ? nameOfReference(value) : undefined;
    if (name !== undefined) names.add(name);
    else namesIn(value, names);
  }
  return names;
}
