import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import type { Change } from "./expression.ts";
import type { Item } from "./item.ts";

/** How a field of an entity lies in an item: in one attribute, as a rule. */
export interface Field<T> {
  schemas(name: string): Readonly<Record<string, z.ZodType>>;
  read(item: Item, name: string): T;
  /** Null for an attribute that is left out. */
  write(value: T, name: string): Item;
}

export type Fields<Entity> = { readonly [Name in keyof Entity]-?: Field<Entity[Name]> };

/** Undefined stays as it is. */
type Changes<Entity> = { readonly [Name in keyof Entity]?: Entity[Name] | undefined };

/**
 * Declares a row once: each field of an entity, how it is kept and, where that is not the field's name in snake_case,
 * its attribute. What lies beside it in the item (keys, index attributes) is the writer's own.
 */
export function row<Entity extends object>(kind: string, fields: Fields<Entity>) {
  const schema = z.object({ kind: z.literal(kind), ...schemasOf(fields) });
  const set = (change: Changes<Entity>): Item => writeAll(fields, change);
  return {
    /** @throws {z.ZodError} for an item that is no such row; attributes that it does not name are ignored. */
    parse: (item: Item): Entity => readAll(fields, schema.parse(item)),
    write: (entity: Entity): Item => ({ kind, ...withoutNulls(set(entity)) }),
    /** The attributes of some fields; null for those to remove. */
    set,
    /** @param also attributes beside the fields that follow from them. */
    change: (change: Changes<Entity>, also: Item = {}): Change => ({
      set: { ...set(change), ...also },
      add: { revision: 1 },
    }),
    attributes: (...without: readonly (keyof Entity)[]): readonly string[] => {
      const left = Object.entries(fields).filter(([name]) => !without.includes(name as keyof Entity));
      return ["kind", ...Object.keys(schemasOf(Object.fromEntries(left)))];
    },
    /** For who reads some fields: whatever is wrong with the others is nothing to them. */
    pick: <Name extends keyof Entity>(...names: readonly Name[]) => {
      const some = Object.fromEntries(names.map((name) => [name, fields[name]]));
      const someSchema = z.object(schemasOf(some));
      return {
        attributes: Object.keys(someSchema.shape) as readonly string[],
        parse: (item: Item): Pick<Entity, Name> => readAll(some, someSchema.parse(item)),
      };
    },
  };
}

/** The entity after a change; a row's `change` says the same to the table. */
export function changedEntity<Entity extends { readonly revision: number }>(
  entity: Entity,
  change: Changes<Entity>,
): Entity {
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  return { ...entity, ...Object.fromEntries(given), revision: entity.revision + 1 };
}

/** Kept in one attribute, in another way than it is used. */
export function converted<T, Kept>(
  schema: z.ZodType<Kept>,
  read: (kept: Kept) => T,
  write: (value: T) => unknown,
): Field<T> {
  return {
    schemas: (name) => ({ [name]: schema }),
    // Parsed by the schema before.
    read: (item, name) => read(item[name] as Kept),
    write: (value, name) => ({ [name]: write(value) }),
  };
}

/** Kept as it is. */
export function kept<T>(schema: z.ZodType<T>): Field<T> {
  return converted(
    schema,
    (value) => value,
    (value) => value,
  );
}

export const text = kept(z.string());
export const texts: Field<readonly string[]> = kept(z.array(z.string()));
export const number = kept(z.number());
export const flag = kept(z.boolean());

/** What every entity that can be deleted has. */
export const entityFields = {
  id: text,
  organizationId: text,
  createdAt: text,
  deletedAt: orNull(text),
  revision: number,
} as const;

export function oneOf<const Values extends readonly string[]>(values: Values): Field<Values[number]> {
  return kept(z.enum(values));
}

/** JSON text: DynamoDB's own maps nest 32 deep only, and its numbers are not JSON's. */
export function json<T>(): Field<T> {
  return converted(z.string(), (written) => JSON.parse(written) as T, JSON.stringify);
}

/** In an attribute of that name. */
export function as<T>(attributeName: string, field: Field<T>): Field<T> {
  return {
    schemas: () => field.schemas(attributeName),
    read: (item) => field.read(item, attributeName),
    write: (value) => field.write(value, attributeName),
  };
}

/** Left out while it has that value, which it is read as where it is absent. */
export function orElse<T, Absent>(field: Field<T>, absent: Absent): Field<T | Absent> {
  return {
    schemas: (name) => mapped(field.schemas(name), (schema) => schema.optional()),
    read: (item, name) => {
      const [first = name] = Object.keys(field.schemas(name));
      return item[first] === undefined ? absent : field.read(item, name);
    },
    write: (value, name) =>
      isDeepStrictEqual(value, absent)
        ? mapped(field.schemas(name), () => null)
        : field.write(value as T, name),
  };
}

export function orNull<T>(field: Field<T>): Field<T | null> {
  return orElse(field, null);
}

/** Of a field that may be left out of the entity too. */
export function maybe<T>(field: Field<T>): Field<T | undefined> {
  return orElse(field, undefined);
}

/** An object in one attribute. */
export function nested<T extends object>(fields: Fields<T>): Field<T> {
  return converted(
    z.object(schemasOf(fields)),
    (item) => readAll<T>(fields, item),
    (value) => withoutNulls(writeAll(fields, value)),
  );
}

/** An object whose fields are attributes of the item. */
export function spread<T extends object>(prefix: string, fields: Fields<T>): Field<T> {
  return {
    schemas: () => schemasOf(fields, prefix),
    read: (item) => readAll(fields, item, prefix),
    write: (value) => writeAll(fields, value, prefix),
  };
}

type SomeFields = Readonly<Record<string, Field<unknown>>>;

function schemasOf(fields: object, prefix = ""): Record<string, z.ZodType> {
  const all = Object.entries(fields as SomeFields);
  return Object.assign({}, ...all.map(([name, field]) => field.schemas(prefix + attributeName(name))));
}

function readAll<T>(fields: object, item: Item, prefix = ""): T {
  const entity: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields as SomeFields)) {
    const value = field.read(item, prefix + attributeName(name));
    if (value !== undefined) entity[name] = value;
  }
  return entity as T;
}

function writeAll(fields: object, values: object, prefix = ""): Item {
  const item: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields as SomeFields)) {
    const value = (values as Item)[name];
    if (value !== undefined) Object.assign(item, field.write(value, prefix + attributeName(name)));
  }
  return item;
}

function attributeName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function withoutNulls(item: Item): Item {
  return Object.fromEntries(Object.entries(item).filter(([, value]) => value !== null));
}

function mapped<From, To>(
  record: Readonly<Record<string, From>>,
  to: (value: From) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, to(value)]));
}
