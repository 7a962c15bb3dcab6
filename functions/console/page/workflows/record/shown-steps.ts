import type { RecordedStep } from "../../../../../shared/contract/recording.ts";
import { constantOf } from "../trajectory/element-view.ts";

export interface ShownStep {
  readonly index: number;
  readonly action: RecordedStep["action"];
  /** Why the trajectory will not have it. */
  readonly problem: string | undefined;
  /** The step whose picture shows the screen on which it was done. */
  readonly seenAt: number | undefined;
}

/** The steps are as the trajectory will have them: without looks, and with what was typed in a row as one text. */
export function shownSteps(items: readonly RecordedStep[]): readonly ShownStep[] {
  const shown: ShownStep[] = [];
  let seenAt: number | undefined;
  for (const { index, action, status, error, screenshot } of items) {
    if (action.type !== "screenshot") {
      const last = shown.at(-1);
      const problem = status === "done" ? undefined : (error ?? status);
      const before = last?.problem === undefined ? constantOf(last) : undefined;
      const text = problem === undefined ? constantOf({ action }) : undefined;
      if (last !== undefined && before !== undefined && text !== undefined) {
        shown[shown.length - 1] = { ...last, index, action: { ...action, text: before + text } };
      } else {
        shown.push({ index, action, problem, seenAt });
      }
    }
    if (screenshot !== null) seenAt = index;
  }
  return shown;
}
