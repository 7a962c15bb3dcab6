import type { ReadAction } from "../../action/action.ts";
import { buildTurns, sentSize } from "../../conversation/build-turns.ts";
import { firstModelCursor, type ModelCursor, withUsage } from "../../conversation/conversation-cursor.ts";
import type { Json, JsonObject } from "../../json.ts";
import { readingPrompt, readingQuestion } from "../../model/reading-prompt.ts";
import { truncated } from "../../run/run-ending.ts";
import type { RunStep } from "../../run-step/run-step.ts";
import { redactJson } from "../../secrets/redact.ts";
import { savedCharactersMax } from "../act/perform-action.ts";
import type { Cursor } from "../execution.ts";
import type { Invocation } from "../step/invocation.ts";
import { recordStep } from "../step/perform-once.ts";
import type { StepResult } from "../step/step-result.ts";
import { callModel, choiceOf, findKey, fitsCall, modelsOf } from "./call-model.ts";
import { type Decision, followDecision, notOfScreen } from "./judge-decision.ts";

const triesMax = 2;

export interface ScreenAnswer {
  readonly kind: "answered";
  readonly value: Json | undefined;
  readonly error: string;
  readonly model: ModelCursor;
}

export async function answerFromScreen(
  invocation: Invocation,
  before: Cursor,
  { question, schema }: { readonly question: string; readonly schema: JsonObject },
  pictureKey = invocation.pictureKey,
): Promise<ScreenAnswer | StepResult> {
  if (pictureKey === null) throw new Error("a model is asked without a picture");
  const { picture } = await invocation.getPicture(pictureKey);
  let { model = firstModelCursor } = before;
  let error = "there was no time for it";
  for (let at = 1; at <= triesMax; at += 1) {
    const cursor = { ...before, model };
    if (!fitsCall(invocation, model)) {
      if (at > 1) break;
      return { kind: "pauses", cursor };
    }
    const sizeMax = modelsOf(invocation).languageModels.pictureSizeMax(choiceOf(invocation, model));
    const text = readingQuestion(question, at === 1 ? undefined : error);
    const told = [{ role: "user", text, picture: { key: pictureKey, part: null } }] as const;
    const asked = {
      system: readingPrompt,
      display: sentSize(picture, sizeMax),
      turns: await buildTurns(invocation, [], told, sizeMax),
      tools: { kind: "answer", schema } as const,
    };
    const called = await callModel(invocation, cursor, asked, await findKey(invocation, model));
    if (called.kind !== "reply") return called;
    const { reply } = called;
    model = { ...withUsage(model, reply.usage), waits: 0, waitedMs: 0 };
    if (reply.kind === "answered") {
      const problem = await problemWith(invocation, schema, reply.value);
      const value = redactJson(reply.value, await invocation.secrets());
      if (problem === undefined) return { kind: "answered", value, error: "", model };
      error = problem;
    } else {
      error = reply.kind === "unusable" ? reply.error : `the model gave no answer (${reply.kind})`;
    }
  }
  return { kind: "answered", value: undefined, error, model };
}

async function problemWith(
  { deps }: Invocation,
  schema: JsonObject,
  value: Json,
): Promise<string | undefined> {
  if (JSON.stringify(value).length > savedCharactersMax) {
    return `it has more than ${savedCharactersMax} characters`;
  }
  // The checker is made for inputs, which are objects, while an answer may be any JSON.
  const check = await deps.outputChecker.check(schema, value as JsonObject);
  if (check.kind === "valid") return undefined;
  if (check.kind !== "invalid") return `its schema: ${check.message}`;
  const [first] = check.errors;
  return [...(first?.path ?? []), first?.message ?? "does not fit"].join(" ");
}

const textSchema: JsonObject = { type: "string" };

interface Reading {
  /** @param error is undefined if the value was read. */
  readonly row: (error: string | undefined, model: ModelCursor) => RunStep;
  readonly follow: (row: RunStep, model: ModelCursor) => StepResult;
}

export async function readStep(
  invocation: Invocation,
  cursor: Cursor,
  { question, schema = textSchema, save_as: name }: ReadAction,
  { row, follow }: Reading,
): Promise<StepResult> {
  const answer = await answerFromScreen(invocation, cursor, { question, schema: schema as JsonObject });
  if (answer.kind !== "answered") return answer;
  const { value, error, model } = answer;
  const isRead = value !== undefined;
  const step: RunStep = { ...row(isRead ? undefined : error, model), status: isRead ? "done" : "failed" };
  const saved = isRead ? { name, value } : undefined;
  return await recordStep(invocation, step, (recorded) => follow(recorded, model), saved);
}

export async function readFromScreen(
  invocation: Invocation,
  cursor: Cursor,
  { exchange, action, step, model }: Decision,
): Promise<StepResult> {
  return await readStep(invocation, { ...cursor, model }, action as ReadAction, {
    row: (error) => ({
      ...step,
      error: error === undefined ? null : truncated(`it could not be read: ${error}`),
      trail: { ...step.trail, decided: notOfScreen(model) },
    }),
    follow: (row, after) => followDecision(cursor, after, exchange, row),
  });
}
