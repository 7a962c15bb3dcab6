import type * as z from "zod";
import { type JsonAnswer, readGenerously, readJsonAnswer } from "../../shared/domain/computer/json-answer.ts";
import { DomainError } from "../../shared/domain/errors.ts";
import type { FileStore } from "../../shared/domain/file-store.ts";

/** @throws {DomainError} `driver_failed` when the driver's answer does not fit the schema. */
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
