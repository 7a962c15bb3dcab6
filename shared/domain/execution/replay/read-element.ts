import { type ReadAction, shownAction } from "../../action/action.ts";
import { isoTimestamp } from "../../clock.ts";
import { firstModelCursor } from "../../conversation/conversation-cursor.ts";
import { failure } from "../../run/run-ending.ts";
import type { Cursor } from "../execution.ts";
import { choiceOf } from "../model/call-model.ts";
import { readStep } from "../model/read-from-screen.ts";
import type { Invocation } from "../step/invocation.ts";
import { newStep } from "../step/new-step.ts";
import { advanced, away, ends, next, type StepResult } from "../step/step-result.ts";

export async function readElement(
  invocation: Invocation,
  cursor: Cursor,
  action: ReadAction,
): Promise<StepResult> {
  const startedAt = isoTimestamp(invocation.deps.clock.now());
  if ((await invocation.lastScreen()) === undefined) return away;
  const kept = await invocation.keepPicture(cursor);
  return await readStep(invocation, cursor, action, {
    row: (problem, model) => {
      const end =
        problem === undefined
          ? undefined
          : failure("step_failed", `step ${cursor.index} could not be read: ${problem}`);
      return newStep(invocation, cursor, {
        action: shownAction(action),
        source: "model",
        model: choiceOf(invocation, model).model,
        startedAt,
        ...kept,
        error: end?.error ?? null,
        trail: {
          ...invocation.trail,
          element: cursor.element,
          ...(end && { next: { kind: "end", errorCode: end.errorCode } }),
        },
      });
    },
    follow: ({ error }, model) => {
      const after = { ...cursor, model };
      return error === null ? afterReading(after) : ends(after, failure("step_failed", error));
    },
  });
}

export function afterReading({ model = firstModelCursor, ...cursor }: Cursor): StepResult {
  const counted = { ...model, agentic: model.agentic + 1 };
  return next({ ...advanced(cursor), element: cursor.element + 1, model: counted });
}
