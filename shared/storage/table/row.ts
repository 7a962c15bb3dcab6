import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import type { Metadata } from "../../domain/metadata/metadata.ts";
import { isOrganizationId, type OrganizationId } from "../../domain/organization-id.ts";
import type { RowKind } from "../../vocabulary/table.ts";
import type { Change } from "./expression.ts";
import type { Item } from "./item.ts";

interface Part<T> {
  readonly schemas: Readonly<Record<string, z.ZodType>>;
  read(item: Item): T;
  /** Null represents an omitted attribute. */
  write(value: T): Item;
}

export type Field<T> = (name: string) => Part<T>;

export type Fields<Entity> = { readonly [Name in keyof Entity]-?: Field<Entity[Name]> };

type Changes<Entity> = { readonly [Name in keyof Entity]?: Entity[Name] | undefined };

/** Each field is declared once: its stored form and, unless it is the name in snake_case, its attribute. */
export function row<Entity extends object>(kind: RowKind | "", fields: Fields<Entity>) {
  const parts = once(() => partsOf(fields));
  const schema = once(() => z.object({ kind: z.literal(kind), ...schemasOf(parts()) }));
  const set = (change: Changes<Entity>): Item => writeAll(parts(), change);
  return {
    /** @throws {z.ZodError} for an item that is not such a row; other attributes are ignored. */
    parse: (item: Item): Entity => readAll(parts(), schema().parse(item)),
    write: (entity: Entity): Item => ({ kind, ...withoutNulls(set(entity)) }),
    /** Null represents an attribute to remove. */
    set,
    change: (change: Changes<Entity>, also: Item = {}): Change => ({
      set: { ...set(change), ...also },
      add: { revision: 1 },
    }),
    attributes: (...without: readonly (keyof Entity)[]): readonly string[] => {
      const left = Object.entries(parts()).filter(([name]) => !without.includes(name as keyof Entity));
      return ["kind", ...Object.keys(schemasOf(Object.fromEntries(left)))];
    },
    /** Invalid values of the other fields do not matter. */
    pick: <Name extends keyof Entity & string>(...names: readonly Name[]) => {
      const some = once(() => {
        const left = Object.entries(parts()).filter(([name]) => names.includes(name as Name));
        const picked = Object.fromEntries(left);
        return { parts: picked, schema: z.object(schemasOf(picked)) };
      });
      return {
        attributes: (): readonly string[] => Object.keys(some().schema.shape),
        parse: (item: Item): Pick<Entity, Name> => readAll(some().parts, some().schema.parse(item)),
      };
    },
  };
}

export function once<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** A row's `change` makes the same change in the table. */
export function changedEntity<Entity extends { readonly revision: number }>(
  entity: Entity,
  change: Changes<Entity>,
): Entity {
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  return { ...entity, ...Object.fromEntries(given), revision: entity.revision + 1 };
}

/** @param schema is made when a row is first used: making all schemas would be a fifth of a function's load. */
export function converted<T, Kept>(
  schema: () => z.ZodType<Kept>,
  read: (kept: Kept) => T,
  write: (value: T) => unknown,
): Field<T> {
  return (name) => ({
    schemas: { [name]: schema() },
    read: (item) => read(item[name] as Kept),
    write: (value) => ({ [name]: write(value) }),
  });
}

export function kept<T>(schema: () => z.ZodType<T>): Field<T> {
  return converted(
    schema,
    (value) => value,
    (value) => value,
  );
}

export const text = kept(() => z.string());
export const texts: Field<readonly string[]> = kept(() => z.array(z.string()));
export const number = kept(() => z.number());
export const flag = kept(() => z.boolean());
export const bytes = kept<Uint8Array>(() => z.instanceof(Uint8Array));
/** A row's own organization is trusted as a tenant's id. */
export const organizationIdAttribute = z.custom<OrganizationId>(isOrganizationId);
export const tenant: Field<OrganizationId> = kept(() => organizationIdAttribute);

export const revisedFields = { id: text, organizationId: tenant, createdAt: text, revision: number } as const;

export const entityFields = { ...revisedFields, deletedAt: orNull(text) } as const;

export const editedFields = { ...entityFields, edition: orElse(number, 0) } as const;

export function oneOf<const Values extends readonly string[]>(values: Values): Field<Values[number]> {
  return kept(() => z.enum(values));
}

/** DynamoDB's own maps nest only 32 levels, and its numbers are not JSON's. */
export function json<T>(): Field<T> {
  return converted(
    () => z.string(),
    (written) => JSON.parse(written) as T,
    JSON.stringify,
  );
}

/** An item without pairs has no attribute. */
export const metadataField: Field<Metadata> = orElse(json<Metadata>(), {});

export function as<T>(attributeName: string, field: Field<T>): Field<T> {
  return () => field(attributeName);
}

/** A field with that value has no attribute. */
export function orElse<T, Absent>(field: Field<T>, absent: Absent): Field<T | Absent> {
  return (name) => {
    const part = field(name);
    const names = Object.keys(part.schemas);
    const nothing = Object.fromEntries(names.map((each) => [each, null]));
    const [first = name] = names;
    return {
      schemas: Object.fromEntries(
        Object.entries(part.schemas).map(([each, schema]) => [each, schema.optional()]),
      ),
      read: (item) => (item[first] === undefined ? absent : part.read(item)),
      write: (value) => (isDeepStrictEqual(value, absent) ? nothing : part.write(value as T)),
    };
  };
}

export function orNull<T>(field: Field<T>): Field<T | null> {
  return orElse(field, null);
}

export function maybe<T>(field: Field<T>): Field<T | undefined> {
  return orElse(field, undefined);
}

export function nested<T extends object>(fields: Fields<T>): Field<T> {
  const parts = once(() => partsOf(fields));
  return converted(
    () => z.object(schemasOf(parts())),
    (item) => readAll<T>(parts(), item),
    (value) => withoutNulls(writeAll(parts(), value)),
  );
}

export function spread<T extends object>(prefix: string, fields: Fields<T>): Field<T> {
  return () => {
    const parts = partsOf(fields, prefix);
    return {
      schemas: schemasOf(parts),
      read: (item) => readAll(parts, item),
      write: (value) => writeAll(parts, value),
    };
  };
}

type Parts = Readonly<Record<string, Part<unknown>>>;

function partsOf(fields: object, prefix = ""): Parts {
  const all = Object.entries(fields as Readonly<Record<string, Field<unknown>>>);
  return Object.fromEntries(all.map(([name, field]) => [name, field(prefix + attributeName(name))]));
}

function schemasOf(parts: Parts): Record<string, z.ZodType> {
  return Object.assign({}, ...Object.values(parts).map(({ schemas }) => schemas));
}

function readAll<T>(parts: Parts, item: Item): T {
  const entity: Record<string, unknown> = {};
  for (const [name, part] of Object.entries(parts)) {
    const value = part.read(item);
    if (value !== undefined) entity[name] = value;
  }
  return entity as T;
}

function writeAll(parts: Parts, values: object): Item {
  const item: Record<string, unknown> = {};
  for (const [name, part] of Object.entries(parts)) {
    const value = (values as Item)[name];
    if (value !== undefined) Object.assign(item, part.write(value));
  }
  return item;
}

function attributeName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

export function withoutNulls(item: Item): Item {
  return Object.fromEntries(Object.entries(item).filter(([, value]) => value !== null));
}
