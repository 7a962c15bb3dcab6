import * as z from "zod";
import { isObject } from "../../domain/json.ts";

/** A null means absence where an optional field's own schema has none; the schema judges every other one. */
export function withoutNulls(schema: z.core.$ZodType, value: unknown): unknown {
  return hasNull(value) ? takenOut(schema, value) : value;
}

/** Most bodies contain no null, and this search costs little compared with validating their unions. */
function hasNull(value: unknown): boolean {
  return value === null || (typeof value === "object" && Object.values(value).some(hasNull));
}

function takenOut(schema: z.core.$ZodType, value: unknown): unknown {
  if (value === null) return isLeftOut(schema) ? undefined : null;
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case "object":
      return isObject(value) ? inFields(def.shape, value) : value;
    case "array":
      return Array.isArray(value) ? value.map((item) => inside(def.element, item)) : value;
    case "record":
      return isObject(value) ? mapped(value, (item) => inside(def.valueType, item)) : value;
    case "union":
      return inUnion(def.options, value);
    case "optional":
    case "nullable":
    case "default":
    case "prefault":
    case "readonly":
    case "nonoptional":
      return withoutNulls(def.innerType, value);
    case "pipe":
      // A schema that only rewrites the value has no fields of its own.
      return withoutNulls(def.in._zod.def.type === "transform" ? def.out : def.in, value);
    default:
      return value;
  }
}

function isLeftOut(schema: z.core.$ZodType): boolean {
  return schema._zod.optin !== undefined && !z.safeParse(schema, null).success;
}

/** A null that is not a field's is a value. */
function inside(schema: z.core.$ZodType, value: unknown): unknown {
  return value === null ? null : withoutNulls(schema, value);
}

function inFields(shape: z.core.$ZodShape, value: Readonly<Record<string, unknown>>): object {
  return mapped(value, (item, name) => {
    const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
    return field === undefined ? item : withoutNulls(field, item);
  });
}

function mapped(
  value: Readonly<Record<string, unknown>>,
  change: (item: unknown, name: string) => unknown,
): object {
  const entries = Object.entries(value).map(([name, item]) => [name, change(item, name)] as const);
  return Object.fromEntries(entries.filter(([, item]) => item !== undefined));
}

/** The value is read by the alternative that accepts it. */
function inUnion(options: readonly z.core.$ZodType[], value: unknown): unknown {
  for (const option of options) {
    const read = withoutNulls(option, value);
    if (z.safeParse(option, read).success) return read;
  }
  return value;
}
