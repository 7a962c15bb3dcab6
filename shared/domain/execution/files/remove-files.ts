import type { RunEnding } from "../../run/run-ending.ts";
import type { Cursor } from "../execution.ts";
import type { Invocation } from "../step/invocation.ts";
import { freeIndex } from "../step/new-step.ts";
import { type End, ends, type Next, next, type StepResult } from "../step/step-result.ts";
import { nextFile, serviceStep } from "./service-step.ts";
import { takenList } from "./take-files.ts";

/** A file that cannot be removed is recorded, and does not affect the run's end. */
export async function removeNextFile(
  invocation: Invocation,
  cursor: Cursor,
  end: RunEnding,
): Promise<StepResult> {
  const path = removedPaths(invocation, cursor)[cursor.files.at];
  if (path === undefined) return ends(cursor, end);
  return await serviceStep(invocation, cursor, {
    action: { type: "remove_file", path },
    work: async (actionId) => await invocation.desktop.removeFile(path, actionId),
    follow: () => nextFile(cursor),
  });
}

function removedPaths(invocation: Invocation, { files }: Cursor): readonly string[] {
  const { inputs, exports } = invocation.plan.files;
  const { names, isWhole } = takenList(invocation);
  const imported = inputs.slice(0, files.put).filter(({ isRemoved }) => isRemoved);
  const isTaken = exports !== null && isWhole && files.taken === names.length;
  return [...imported.map(({ path }) => path), ...(isTaken ? [exports] : [])];
}

/** Exports are taken if the steps came to their end. A failed removal does not affect the run's end. */
export async function wrapUpFiles(invocation: Invocation, before: Cursor, result: End): Promise<Next | End> {
  if (before.phase === "remove_files") return { ...result, end: before.files.end ?? result.end };
  const { end, cursor } = result;
  // The wait for the desktop was long enough already.
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
