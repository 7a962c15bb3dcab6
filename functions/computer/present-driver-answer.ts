import type * as z from "zod";
import { type JsonAnswer, readJsonAnswer } from "../../shared/domain/computer/json-answer.ts";
import { DomainError } from "../../shared/domain/errors.ts";
import type { FileStore } from "../../shared/domain/file-store.ts";

/**
 * A driver's answer in the API's form: the contract's fields and no others.
 *
 * @throws {DomainError} `driver_failed` when the driver answered something else.
 */
export async function presentDriverAnswer<T>(
  files: FileStore,
  schema: z.ZodType<T>,
  answer: JsonAnswer,
): Promise<T> {
  const parsed = schema.safeParse(readGenerously(await readJsonAnswer(files, answer)));
  if (parsed.success) return parsed.data;
  const fields = parsed.error.issues.map((issue) => issue.path.join(".") || "body");
  throw new DomainError(
    "driver_failed",
    `the machine's driver returned something else than this operation: ${fields.join(", ")}`,
  );
}

/** A driver may hand on what a server of its desktop says: `entries` for `items`, seconds since 1970 for a timestamp. */
function readGenerously(given: unknown): unknown {
  if (!isObject(given)) return given;
  const { entries, ...others } = withTimestamp(given);
  const items = given.items ?? entries;
  if (!Array.isArray(items)) return withTimestamp(given);
  return { ...others, items: items.map((item: unknown) => (isObject(item) ? withTimestamp(item) : item)) };
}

function withTimestamp(given: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { modified } = given;
  const at = typeof modified === "number" ? new Date(modified * 1_000) : undefined;
  return at === undefined || Number.isNaN(at.getTime()) ? given : { ...given, modified: at.toISOString() };
}

function isObject(given: unknown): given is Readonly<Record<string, unknown>> {
  return typeof given === "object" && given !== null && !Array.isArray(given);
}
