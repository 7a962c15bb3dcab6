import type { Cursor, ModelCursor } from "../execution.ts";
import { ends, type Failure, type StepResult } from "../step/step-result.ts";
import { goToNext } from "./model-cursor.ts";

/** The model learns so often that the work is not to be seen, before the run ends. */
const unseenToldMax = 1;

/** What follows from an end at which the work is not to be seen: the model learns of it, or the run ends so. */
export function afterUnseen(before: Cursor, model: ModelCursor, end: Failure): StepResult {
  const unseen = (model.unseen ?? 0) + 1;
  // The model decides anew by the screen as it is then.
  if (unseen <= unseenToldMax) return goToNext(before, { ...model, unseen }, { isBlind: true });
  return ends({ ...before, index: before.index + 1, model }, end);
}
