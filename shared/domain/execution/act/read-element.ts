import type { Action } from "../../action/action.ts";
import { isoTimestamp } from "../../clock.ts";
import type { JsonObject } from "../../json.ts";
import type { RunStep } from "../../run-step/run-step.ts";
import type { Cursor, ModelCursor } from "../execution.ts";
import { choiceOf } from "../model/call-model.ts";
import { firstModelCursor } from "../model/model-cursor.ts";
import { answerFromScreen, textSchema } from "../model/read-from-screen.ts";
import { look } from "../screen/await-element.ts";
import { leaveForLater } from "../step/away.ts";
import type { Invocation } from "../step/invocation.ts";
import { keepPicture } from "../step/keep-picture.ts";
import { newStep } from "../step/new-step.ts";
import { shownAction } from "../step/shown-action.ts";
import { advanced, failure, type StepResult } from "../step/step-result.ts";

/** An element that reads: what a model answers from the screen as it is now becomes a saved value. */
export async function readElement(
  invocation: Invocation,
  cursor: Cursor,
  action: Extract<Action, { readonly type: "read" }>,
): Promise<StepResult> {
  const { deps } = invocation;
  const startedAtMs = deps.clock.now();
  if (invocation.screen === undefined && (await look(invocation)) === undefined) {
    return await leaveForLater(invocation, cursor);
  }
  const kept = await keepPicture(invocation, cursor);
  const { question, schema = textSchema, save_as: name } = action;
  const answer = await answerFromScreen(invocation, cursor, cursor.model ?? firstModelCursor, {
    question,
    schema: schema as JsonObject,
  });
  if (answer.kind === "result") return answer.result;
  const error = answer.kind === "answer" ? null : `step ${cursor.index} could not be read: ${answer.error}`;
  const end = error === null ? undefined : failure("step_failed", error);
  invocation.trail = {
    ...invocation.trail,
    element: cursor.element,
    ...(end && { next: { kind: "end", errorCode: end.errorCode } }),
  };
  const step: RunStep = newStep(invocation, cursor, {
    action: shownAction(action),
    match: null,
    status: end === undefined ? "done" : "failed",
    source: "model",
    model: choiceOf(invocation, answer.model).model,
    trail: invocation.trail,
    startedAt: isoTimestamp(startedAtMs),
  });
  const saved = answer.kind === "answer" ? { name, value: answer.value } : undefined;
  const recorded = {
    ...step,
    ...kept,
    error,
    trail: invocation.trail,
    durationMs: deps.clock.now() - startedAtMs,
  };
  if (!(await deps.executions.recordStep(recorded, saved))) return { kind: "ended" };
  if (saved !== undefined) invocation.saved.set(saved.name, saved.value);
  return end === undefined
    ? afterReading(cursor, answer.model)
    : { kind: "end", end, cursor: { ...cursor, model: answer.model } };
}

/** What follows from its row, too. */
export function afterReading(cursor: Cursor, model: ModelCursor = firstModelCursor): StepResult {
  const after = { ...advanced(cursor, { element: cursor.element }), element: cursor.element + 1 };
  const counted = { ...model, agentic: model.agentic + 1 };
  return { kind: "next", cursor: { ...after, model: counted }, waitSeconds: 0, yields: false };
}
