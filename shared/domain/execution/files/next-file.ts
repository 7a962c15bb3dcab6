import type { Cursor } from "../execution.ts";
import { advanced, next, type StepResult } from "../step/step-result.ts";

export function nextFile(
  cursor: Cursor,
  counted: Partial<Pick<Cursor["files"], "put" | "taken">> = {},
): StepResult {
  const files = { ...cursor.files, ...counted, at: cursor.files.at + 1 };
  return next({ ...advanced(cursor, { piece: cursor.piece }), files });
}
