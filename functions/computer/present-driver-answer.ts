import type * as z from "zod";
import { type JsonAnswer, readGenerously, readJsonAnswer } from "../../shared/domain/computer/json-answer.ts";
import { DomainError } from "../../shared/domain/errors.ts";
import type { FileStore } from "../../shared/domain/file-store.ts";
import { isObject } from "../../shared/domain/json.ts";

const itemsAtOnce = 1_000;

/** @throws {DomainError} `driver_failed` when the driver's answer does not fit the schema. */
export async function presentDriverAnswer<T>(
  files: FileStore,
  schema: z.ZodType<T>,
  answer: JsonAnswer,
): Promise<T> {
  const parsed = parseUntilWrong(schema, readGenerously(await readJsonAnswer(files, answer)));
  if (parsed.success) return parsed.data;
  const fields = parsed.error.issues.map((issue) => issue.path.join(".") || "body");
  throw new DomainError(
    "driver_failed",
    `the machine's driver returned something else than this operation: ${fields.join(", ")}`,
  );
}

/** A schema collects what is wrong with all items, which takes long of many: the first thousand with an error suffice. */
function parseUntilWrong<T>(schema: z.ZodType<T>, given: unknown): z.ZodSafeParseResult<T> {
  const items: readonly unknown[] = isObject(given) && Array.isArray(given.items) ? given.items : [];
  for (let end = itemsAtOnce; end < items.length; end += itemsAtOnce) {
    const part = (from: number) =>
      schema.safeParse(Object.assign({}, given, { items: items.slice(from, end) }));
    // The paths of the errors count from the first item.
    if (!part(end - itemsAtOnce).success) return part(0);
  }
  return schema.safeParse(given);
}
