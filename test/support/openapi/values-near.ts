import fc from "fast-check";
import {
  alternativesOf,
  isSchema,
  propertiesOf,
  referredName,
  type Schema,
} from "../../../infra/openapi/schema-tree.ts";

export const junk = fc.constantFrom<unknown>(
  "",
  "a",
  "\u0000",
  "a/b",
  "ctrl+a",
  " ",
  -1,
  0.5,
  1,
  2 ** 53,
  true,
  [],
  {},
  "A".repeat(5_001),
  "😀".repeat(200),
);

export interface ValueWorld {
  readonly components: Readonly<Record<string, Schema>>;
  /** Ids that exist, so that some requests get further than a 404. @default none */
  readonly ids?: readonly string[];
}

export function valuesNear(schema: Schema, world: ValueWorld, example: unknown): fc.Arbitrary<unknown> {
  const values = valuesOf(schema, world);
  return fc.oneof(values, values, changed(example));
}

export function valuesOf(schema: Schema, { components, ids = [] }: ValueWorld): fc.Arbitrary<unknown> {
  return near(schema, 0);

  function near(one: Schema, depth: number): fc.Arbitrary<unknown> {
    const made = proper(one, depth);
    return depth === 0 ? made : fc.oneof({ weight: 24, arbitrary: made }, { weight: 1, arbitrary: junk });
  }

  function proper(one: Schema, depth: number): fc.Arbitrary<unknown> {
    const name = referredName(one);
    if (name !== undefined) return proper(components[name] ?? {}, depth);
    if (Array.isArray(one.enum)) return fc.constantFrom<unknown>(...one.enum);
    const alternatives = alternativesOf(one);
    if (alternatives.length > 0) return fc.oneof(...alternatives.map((each) => near(each, depth + 1)));
    switch (one.type) {
      case "string":
        return one.format === "uuid" && ids.length > 0
          ? fc.oneof({ weight: 7, arbitrary: fc.constantFrom(...ids) }, { weight: 3, arbitrary: fc.uuid() })
          : text(one);
      case "integer":
        return number(one, 1);
      case "number":
        return fc.oneof(number(one, 1), number(one, 0.5));
      case "boolean":
        return fc.boolean();
      case "null":
        return fc.constant(null);
      case "array":
        return list(one, depth);
      case "object":
        return object(one, depth);
      default:
        return fc.jsonValue({ maxDepth: 2 });
    }
  }

  function object(one: Schema, depth: number): fc.Arbitrary<unknown> {
    const properties = propertiesOf(one).map(([name, inner]) => [name, near(inner, depth + 1)] as const);
    const requiredKeys = (one.required ?? []) as string[];
    const record = fc.record(Object.fromEntries(properties), { requiredKeys });
    const { additionalProperties: more } = one;
    if (properties.length === 0 && isSchema(more)) {
      return fc.dictionary(fc.constantFrom("a", "b", "é"), near(more, depth + 1), { maxKeys: 3 });
    }
    const lacking = record.map((value) => Object.fromEntries(Object.entries(value).slice(1)));
    const surprising = record.map((value) => ({ ...value, surprise: 1 }));
    return fc.oneof(
      { weight: 12, arbitrary: record },
      { weight: 1, arbitrary: lacking },
      { weight: 1, arbitrary: surprising },
    );
  }

  function list(one: Schema, depth: number): fc.Arbitrary<unknown> {
    const min = Number(one.minItems ?? 0);
    const items = near((one.items ?? {}) as Schema, depth + 1);
    const maxLength = Math.max(min, Math.min(Number(one.maxItems ?? 3), 3));
    return fc.array(items, { minLength: Math.max(min - 1, 0), maxLength });
  }
}

function changed(example: unknown): fc.Arbitrary<unknown> {
  if (!isSchema(example)) return fc.constant(example ?? {});
  const names = Object.keys(example);
  return fc
    .tuple(fc.constantFrom("", ...names), fc.oneof(junk, fc.constant(undefined)))
    .map(([name, value]) =>
      JSON.parse(JSON.stringify({ ...example, ...(name === "" ? {} : { [name]: value }) })),
    );
}

function text({
  format,
  pattern,
  minLength = 0,
  maxLength = 40,
  contentEncoding,
}: Schema): fc.Arbitrary<string> {
  if (format === "uuid") return fc.uuid();
  if (format === "date-time") return fc.constantFrom("2026-11-23T01:02:03Z", "2026-11-23T01:02:03.5+02:00");
  if (contentEncoding === "base64") return fc.base64String({ minLength: 4, maxLength: 16 });
  const [min, max] = [Number(minLength), Number(maxLength)];
  const short = fc.string({
    unit: fc.constantFrom(..."aZ09 -_.+/\\é😀\u0000\n"),
    minLength: Math.min(min, 20),
    maxLength: Math.max(min, Math.min(max, 20)),
  });
  const atBounds = [min, max, max + 1]
    .filter((length) => length <= 3_000)
    .map((length) => "a".repeat(length));
  const likely = ["a", "eu-central-1", "text/plain", "notes.txt", "ctrl+a Delete", "AKIAIOSFODNN7EXAMPLE"];
  const plain = fc.oneof(short, fc.constantFrom(...atBounds, "a"));
  return pattern === undefined ? plain : fc.oneof(plain, fc.constantFrom(...likely));
}

function number({ minimum = -1_000, maximum = 1_000 }: Schema, step: number): fc.Arbitrary<number> {
  const [min, max] = [Number(minimum), Number(maximum)];
  const inside = fc.integer({ min: Math.ceil(min), max: Math.floor(max) });
  return fc.oneof(inside, fc.constantFrom(min, max, min - step, max + step));
}
