import type { Cursor } from "../execution.ts";
import { freeIndex } from "../step/free-index.ts";
import type { Invocation } from "../step/invocation.ts";
import { type End, type Next, next } from "../step/step-result.ts";
import { removedPaths } from "./remove-files.ts";

/**
 * Exports are taken if the steps came to their end, then the run's own files are removed. A failed removal does not
 * affect the end.
 */
export async function wrapUpFiles(invocation: Invocation, before: Cursor, result: End): Promise<Next | End> {
  if (before.phase === "remove_files") return { ...result, end: before.files.end ?? result.end };
  const { end, cursor } = result;
  // The desktop was waited for long enough.
  if (end.errorCode === "machine_unavailable") return result;
  const isToTake =
    before.phase !== "take_files" && end.status !== "error" && invocation.plan.files.exports !== null;
  if (!isToTake && removedPaths(invocation, cursor).length === 0) return result;
  return next({
    ...cursor,
    phase: isToTake ? "take_files" : "remove_files",
    index: await freeIndex(invocation, cursor),
    waitedMs: 0,
    awayMs: 0,
    files: { ...cursor.files, at: 0, end },
  });
}
