import type { Action } from "../../action/action.ts";
import { isoTimestamp } from "../../clock.ts";
import type { JsonObject } from "../../json.ts";
import type { RunStep } from "../../run-step/run-step.ts";
import type { Cursor, ModelCursor } from "../execution.ts";
import { look } from "../replay/await-element.ts";
import { leaveForLater } from "../replay/away.ts";
import { keepPicture } from "../replay/keep-picture.ts";
import { newStep } from "../replay/new-step.ts";
import { shownAction } from "../replay/shown-action.ts";
import { advanced, failure, type StepResult } from "../replay/step-result.ts";
import type { World } from "../world.ts";
import { choiceOf } from "./call-model.ts";
import { firstModelCursor } from "./model-cursor.ts";
import { answerFromScreen, textSchema } from "./read-from-screen.ts";

/** An element that reads: what a model answers from the screen as it is now becomes a saved value. */
export async function readElement(
  world: World,
  cursor: Cursor,
  action: Extract<Action, { readonly type: "read" }>,
): Promise<StepResult> {
  const { deps } = world;
  const startedAtMs = deps.clock.now();
  if (world.screen === undefined && (await look(world)) === undefined) {
    return await leaveForLater(world, cursor);
  }
  const kept = await keepPicture(world, cursor);
  const { question, schema = textSchema, save_as: name } = action;
  const answer = await answerFromScreen(world, cursor, cursor.model ?? firstModelCursor, {
    question,
    schema: schema as JsonObject,
  });
  if (answer.kind === "result") return answer.result;
  const error = answer.kind === "answer" ? null : `step ${cursor.index} could not be read: ${answer.error}`;
  const end = error === null ? undefined : failure("step_failed", error);
  world.trail = {
    ...world.trail,
    element: cursor.element,
    ...(end && { next: { kind: "end", errorCode: end.errorCode } }),
  };
  const step: RunStep = newStep(world, cursor, {
    action: shownAction(action),
    match: null,
    status: end === undefined ? "done" : "failed",
    source: "model",
    model: choiceOf(world, answer.model).model,
    trail: world.trail,
    startedAt: isoTimestamp(startedAtMs),
  });
  const saved = answer.kind === "answer" ? { name, value: answer.value } : undefined;
  const recorded = {
    ...step,
    ...kept,
    error,
    trail: world.trail,
    durationMs: deps.clock.now() - startedAtMs,
  };
  if (!(await deps.executions.recordStep(recorded, saved))) return { kind: "ended" };
  if (saved !== undefined) world.saved.set(saved.name, saved.value);
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
