import type { ReadAction } from "../../action/action.ts";
import type { Json, JsonObject } from "../../json.ts";
import { readingPrompt, readingQuestion } from "../../model/reading-prompt.ts";
import type { RunStep } from "../../run-step/run-step.ts";
import { redactJson } from "../../secrets/redact.ts";
import { savedCharactersMax } from "../act/perform-action.ts";
import type { Cursor, ModelCursor } from "../execution.ts";
import type { Invocation } from "../step/invocation.ts";
import { recordStep } from "../step/perform-once.ts";
import { type StepResult, truncated } from "../step/step-result.ts";
import { buildTurns, sentSize } from "./build-turns.ts";
import { callModel, choiceOf, findKey, fitsCall, modelsOf } from "./call-model.ts";
import { followDecision } from "./follow-decision.ts";
import { type Decision, notOfScreen } from "./judge-decision.ts";
import { withUsage } from "./model-cursor.ts";

const triesMax = 2;

export type ScreenAnswer =
  | { readonly kind: "answer"; readonly value: Json; readonly model: ModelCursor }
  | { readonly kind: "none"; readonly error: string; readonly model: ModelCursor }
  | { readonly kind: "result"; readonly result: StepResult };

export async function answerFromScreen(
  invocation: Invocation,
  cursor: Cursor,
  before: ModelCursor,
  { question, schema }: { readonly question: string; readonly schema: JsonObject },
  pictureKey = invocation.pictureKey,
): Promise<ScreenAnswer> {
  if (pictureKey === null) throw new Error("a model is asked without a picture");
  const { picture } = await invocation.getPicture(pictureKey);
  let model = before;
  let error = "there was no time for it";
  for (let at = 1; at <= triesMax; at += 1) {
    if (!fitsCall(invocation, model)) {
      if (at > 1) break;
      return { kind: "result", result: { kind: "pauses", cursor: { ...cursor, model } } };
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
    const called = await callModel(invocation, cursor, model, asked, await findKey(invocation, model));
    if (called.kind === "result") return called;
    const { reply } = called;
    model = { ...withUsage(model, reply.usage), waits: 0, waitedMs: 0 };
    if (reply.kind === "answered") {
      const problem = await problemWith(invocation, schema, reply.value);
      const value = redactJson(reply.value, await invocation.secrets());
      if (problem === undefined) return { kind: "answer", value, model };
      error = problem;
    } else {
      error = reply.kind === "unusable" ? reply.error : `the model gave no answer (${reply.kind})`;
    }
  }
  return { kind: "none", error, model };
}

async function problemWith(
  { deps }: Invocation,
  schema: JsonObject,
  value: Json,
): Promise<string | undefined> {
  if (JSON.stringify(value).length > savedCharactersMax) {
    return `it has more than ${savedCharactersMax} characters`;
  }
  // The checker is made for inputs, which are objects; an answer may be any JSON.
  const check = await deps.outputChecker.check(schema, value as JsonObject);
  if (check.kind === "valid") return undefined;
  if (check.kind !== "invalid") return `its schema: ${check.message}`;
  const [first] = check.errors;
  return [...(first?.path ?? []), first?.message ?? "does not fit"].join(" ");
}

export const textSchema: JsonObject = { type: "string" };

export async function readFromScreen(
  invocation: Invocation,
  cursor: Cursor,
  { exchange, action, step, model }: Decision,
): Promise<StepResult> {
  const startedAtMs = invocation.deps.clock.now();
  const { question, schema = textSchema, save_as: name } = action as ReadAction;
  const asked = { question, schema: schema as JsonObject };
  const answer = await answerFromScreen(invocation, cursor, model, asked);
  if (answer.kind === "result") return answer.result;
  const row: RunStep = {
    ...step,
    status: answer.kind === "answer" ? "done" : "failed",
    error: answer.kind === "answer" ? null : truncated(`it could not be read: ${answer.error}`),
    trail: { ...step.trail, decided: notOfScreen(model) },
    durationMs: invocation.deps.clock.now() - startedAtMs,
  };
  const saved = answer.kind === "answer" ? { name, value: answer.value } : undefined;
  const follow = () => followDecision(cursor, answer.model, exchange, row);
  return await recordStep(invocation, row, follow, saved);
}
