import type { Cursor, RunEnding } from "../execution.ts";
import type { Invocation } from "../step/invocation.ts";
import { ends, type StepResult } from "../step/step-result.ts";
import { nextFile } from "./next-file.ts";
import { serviceStep } from "./service-step.ts";
import { takenList } from "./take-files.ts";

/** A file that cannot be removed is on record, and does not affect the run's end. */
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

export function removedPaths(invocation: Invocation, { files }: Cursor): readonly string[] {
  const { inputs, exports } = invocation.plan.files;
  const { names, isWhole } = takenList(invocation);
  const imported = inputs.slice(0, files.put).filter(({ isRemoved }) => isRemoved);
  const isTaken = exports !== null && isWhole && files.taken === names.length;
  return [...imported.map(({ path }) => path), ...(isTaken ? [exports] : [])];
}
