import type { Random } from "./random.ts";

export type Schema = Readonly<Record<string, unknown>>;

export interface GenerationWorld {
  readonly random: Random;
  /** Ids that exist, so that some requests get further than a 404. */
  readonly ids: readonly string[];
  resolve(reference: string): Schema;
}

const letters = [
  "a",
  "Z",
  "0",
  " ",
  "-",
  "é",
  "ß",
  "漢",
  "😀",
  "\u0000",
  "\u202e",
  "'",
  '"',
  "\\",
  "%",
  "\n",
  "#",
];

export function generateValue(world: GenerationWorld, schema: Schema, depth = 0): unknown {
  const { random } = world;
  if (typeof schema.$ref === "string") return generateValue(world, world.resolve(schema.$ref), depth);
  const options = (schema.anyOf ?? schema.oneOf) as readonly Schema[] | undefined;
  if (options !== undefined) return generateValue(world, random.pick(options), depth);
  if ("const" in schema) return schema.const;
  if (Array.isArray(schema.enum)) return random.pick(schema.enum as readonly unknown[]);
  const type = Array.isArray(schema.type) ? random.pick(schema.type as readonly string[]) : schema.type;
  switch (type) {
    case "string":
      return generateString(world, schema);
    case "integer":
      return generateInteger(random, schema);
    case "number":
      return random.chance(0.5) ? generateInteger(random, schema) : numberBetween(random, schema);
    case "boolean":
      return random.chance(0.5);
    case "null":
      return null;
    case "array":
      return generateArray(world, schema, depth);
    case "object":
      return generateObject(world, schema, depth);
    default:
      return generateAny(world, depth);
  }
}

export function generateAny(world: GenerationWorld, depth = 0): unknown {
  const { random } = world;
  const kinds = ["string", "integer", "boolean", "null", ...(depth < 3 ? ["array", "object"] : [])];
  const type = random.pick(kinds);
  return generateValue(world, { type, items: {}, additionalProperties: {} }, depth + 1);
}

function generateString({ random, ids }: GenerationWorld, schema: Schema): string {
  if (schema.format === "uuid") return random.chance(0.7) ? random.pick(ids) : crypto.randomUUID();
  if (schema.format === "date-time") {
    return new Date(random.int(0, 4_102_444_800) * 1_000).toISOString();
  }
  if (schema.format === "uri") return "https://example.com/x";
  if (schema.contentEncoding === "base64")
    return Buffer.from("x".repeat(random.int(0, 50))).toString("base64");
  const min = Number(schema.minLength ?? 0);
  const max = Number(schema.maxLength ?? 300);
  const length = random.pick([min, Math.min(max, 2_000), random.int(min, Math.min(max, min + 20))]);
  return random.chance(0.5)
    ? "a".repeat(length)
    : Array.from({ length }, () => random.pick(letters))
        .join("")
        .slice(0, length)
        .toWellFormed();
}

function generateInteger(random: Random, schema: Schema): number {
  const min = Number(schema.minimum ?? -1_000_000);
  const max = Number(schema.maximum ?? 1_000_000);
  return random.pick([min, max, random.int(Math.ceil(min), Math.floor(max))]);
}

function numberBetween(random: Random, schema: Schema): number {
  const min = Number(schema.minimum ?? -1_000);
  return min + random.next() * (Number(schema.maximum ?? 1_000) - min);
}

function generateArray(world: GenerationWorld, schema: Schema, depth: number): readonly unknown[] {
  const min = Number(schema.minItems ?? 0);
  const length = world.random.int(min, Math.min(Number(schema.maxItems ?? 4), min + 3));
  return Array.from({ length }, () => generateValue(world, (schema.items ?? {}) as Schema, depth + 1));
}

function generateObject(world: GenerationWorld, schema: Schema, depth: number): Record<string, unknown> {
  const { random } = world;
  const required = new Set((schema.required ?? []) as readonly string[]);
  const properties = Object.entries((schema.properties ?? {}) as Readonly<Record<string, Schema>>);
  const made = properties
    .filter(([name]) => required.has(name) || random.chance(0.4))
    .map(([name, property]): [string, unknown] => [name, generateValue(world, property, depth + 1)]);
  const more = schema.additionalProperties;
  if (typeof more !== "object" || more === null || properties.length > 0) return Object.fromEntries(made);
  const extra = Array.from({ length: random.int(0, 3) }, (_, at): [string, unknown] => [
    `${random.pick(["a", "é", "__proto__x", "constructor", "😀"])}${at}`,
    generateValue(world, more as Schema, depth + 1),
  ]);
  return Object.fromEntries(extra);
}
