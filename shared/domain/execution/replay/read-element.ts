import { type Action, shownAction } from "../../action/action.ts";
import { isoTimestamp } from "../../clock.ts";
import type { JsonObject } from "../../json.ts";
import type { Cursor, ModelCursor } from "../execution.ts";
import { choiceOf } from "../model/call-model.ts";
import { firstModelCursor } from "../model/model-cursor.ts";
import { answerFromScreen, textSchema } from "../model/read-from-screen.ts";
import type { Invocation } from "../step/invocation.ts";
import { newStep } from "../step/new-step.ts";
import { recordStep } from "../step/perform-once.ts";
import { advanced, away, ends, failure, next, type StepResult } from "../step/step-result.ts";

export async function readElement(
  invocation: Invocation,
  cursor: Cursor,
  action: Extract<Action, { readonly type: "read" }>,
): Promise<StepResult> {
  const startedAt = isoTimestamp(invocation.deps.clock.now());
  if ((await invocation.lastScreen()) === undefined) return away;
  const kept = await invocation.keepPicture(cursor);
  const { question, schema = textSchema, save_as: name } = action;
  const answer = await answerFromScreen(invocation, cursor, cursor.model ?? firstModelCursor, {
    question,
    schema: schema as JsonObject,
  });
  if (answer.kind === "result") return answer.result;
  const { model } = answer;
  const end =
    answer.kind === "answer"
      ? undefined
      : failure("step_failed", `step ${cursor.index} could not be read: ${answer.error}`);
  const trail = { ...invocation.trail, element: cursor.element };
  const step = newStep(invocation, cursor, {
    action: shownAction(action),
    status: end === undefined ? "done" : "failed",
    source: "model",
    model: choiceOf(invocation, model).model,
    startedAt,
    ...kept,
    error: end?.error ?? null,
    trail,
  });
  const row = end && {
    ...step,
    trail: { ...step.trail, next: { kind: "end", errorCode: end.errorCode } as const },
  };
  const saved = answer.kind === "answer" ? { name, value: answer.value } : undefined;
  const after = { ...cursor, model };
  const follow = () => (end === undefined ? afterReading(after) : ends(after, end));
  return await recordStep(invocation, row ?? step, follow, saved);
}

export function afterReading({ model = firstModelCursor, ...cursor }: Cursor): StepResult {
  const counted: ModelCursor = { ...model, agentic: model.agentic + 1 };
  return next({ ...advanced(cursor), element: cursor.element + 1, model: counted });
}
