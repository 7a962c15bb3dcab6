import type * as z from "zod";
import { type JsonAnswer, readGenerously, readJsonAnswer } from "../../shared/domain/computer/json-answer.ts";
import { DomainError } from "../../shared/domain/errors.ts";
import type { FileStore } from "../../shared/domain/file-store.ts";
import { isObject } from "../../shared/domain/json.ts";

/** A schema collects what is wrong with all items that it is given; this many with an error suffice. */
const itemsAtOnce = 100;

/** @throws {DomainError} `driver_failed` when the driver's answer does not fit the schema. */
export async function presentDriverAnswer<T>(
  files: FileStore,
  schema: z.ZodType<T>,
  answer: JsonAnswer,
): Promise<T> {
  const json = await readJsonAnswer(files, answer);
  const [first, ...others] = partsOf(json);
  const presented = parse(schema, first, 0);
  if (!isObject(presented) || !Array.isArray(presented.items)) return presented;
  for (const [at, part] of others.entries()) {
    const { items } = parse(schema, part, (at + 1) * itemsAtOnce) as { readonly items: readonly unknown[] };
    presented.items.push(...items);
  }
  return presented;
}

/** An answer without a list is one part. A part is read only once those before it fit. */
function partsOf(json: unknown): readonly unknown[] {
  if (!isObject(json)) return [json];
  const { entries, ...others } = json;
  const items = others.items ?? entries;
  if (!Array.isArray(items) || items.length <= itemsAtOnce) return [json];
  return Array.from({ length: Math.ceil(items.length / itemsAtOnce) }, (_, at) => ({
    ...others,
    items: items.slice(at * itemsAtOnce, (at + 1) * itemsAtOnce),
  }));
}

/** @param itemsBefore is how many items of the answer come before the part's. */
function parse<T>(schema: z.ZodType<T>, part: unknown, itemsBefore: number): T {
  const parsed = schema.safeParse(readGenerously(part));
  if (parsed.success) return parsed.data;
  const fields = parsed.error.issues.map(({ path: [field, item, ...inItem] }) => {
    const path = typeof item === "number" ? [field, itemsBefore + item, ...inItem] : [field, item, ...inItem];
    return path.filter((key) => key !== undefined).join(".") || "body";
  });
  throw new DomainError(
    "driver_failed",
    `the machine's driver returned something else than this operation: ${fields.join(", ")}`,
  );
}
