import type { Cursor } from "../execution.ts";
import { advanced, type StepResult } from "../step/step-result.ts";

/** Goes on with the next of the run's files. */
export function nextFile(
  cursor: Cursor,
  counted: Partial<Pick<Cursor["files"], "put" | "taken">> = {},
): StepResult {
  const files = { ...cursor.files, ...counted, at: cursor.files.at + 1 };
  const next = { ...advanced(cursor, { element: cursor.element, piece: cursor.piece }), files };
  return { kind: "next", cursor: next, waitSeconds: 0, yields: false };
}
