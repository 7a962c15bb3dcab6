import type { ModelCursor } from "../../conversation/conversation-cursor.ts";
import { taskWords } from "../../conversation/task-words.ts";
import { ownValues } from "../../filling/output.ts";
import type { Json, JsonObject } from "../../json.ts";
import { checkQuestion, outputQuestion } from "../../model/reading-prompt.ts";
import type { Cursor } from "../execution.ts";
import { awaitOutcome, type Missing } from "../screen/await-outcome.ts";
import type { Invocation } from "../step/invocation.ts";
import { away, type StepResult } from "../step/step-result.ts";
import { answerFromScreen, type ScreenAnswer } from "./read-from-screen.ts";

export interface JudgedEnd {
  readonly kind: "judged";
  readonly problem?: string | undefined;
  readonly missed?: Missing["trail"];
  readonly model: ModelCursor | undefined;
}

const verdictSchema: JsonObject = {
  type: "object",
  properties: { holds: { type: "boolean" }, reason: { type: "string" } },
  required: ["holds", "reason"],
  additionalProperties: false,
};

/** @param show keeps the picture for the sentences; false means that the desktop is away. */
export async function judgeEnd(
  invocation: Invocation,
  cursor: Cursor,
  words: string,
  show: () => Promise<boolean>,
): Promise<JudgedEnd | StepResult> {
  const missing = await awaitOutcome(invocation);
  if (missing === "away") return away;
  if (missing !== undefined) {
    const problem = `${words}${missing.words}`;
    return { kind: "judged", problem, missed: missing.trail, model: cursor.model };
  }
  return (await show()) ? await judgeSentences(invocation, cursor) : away;
}

async function judgeSentences(invocation: Invocation, cursor: Cursor): Promise<JudgedEnd | StepResult> {
  let { model } = cursor;
  for (const check of invocation.plan.trajectory.checks) {
    if (check.kind !== "sentence") continue;
    const sentence = invocation.filled(check.text);
    const asked = { question: checkQuestion(sentence), schema: verdictSchema };
    const answer = await answerFromScreen(invocation, { ...cursor, model }, asked);
    if (answer.kind !== "answered") return answer;
    ({ model } = answer);
    const problem = problemOf(sentence, answer);
    if (problem !== undefined) return { kind: "judged", problem, model };
  }
  return { kind: "judged", model };
}

function problemOf(sentence: string, { value, error }: ScreenAnswer): string | undefined {
  if (value === undefined) return `whether "${sentence}" could not be judged: ${error}`;
  const { holds, reason } = value as unknown as { readonly holds: boolean; readonly reason: string };
  return holds ? undefined : `every step was done, but not "${sentence}": ${reason}`;
}

export async function answerOutput(
  invocation: Invocation,
  cursor: Cursor,
  recorded: Json,
): Promise<ScreenAnswer | StepResult> {
  const { outputSchema } = invocation.plan.workflow;
  const saved = JSON.stringify(ownValues(invocation));
  return await answerFromScreen(invocation, cursor, {
    question: outputQuestion({ task: taskWords(invocation), saved, recorded }),
    schema: outputSchema ?? schemaLike(recorded),
  });
}

function schemaLike(value: Json): JsonObject {
  if (value === null) return { type: "string" };
  if (Array.isArray(value)) return { type: "array", items: schemaLike((value as readonly Json[])[0] ?? "") };
  if (typeof value !== "object") return { type: typeof value };
  const entries = Object.entries(value as JsonObject).map(
    ([name, each]) => [name, schemaLike(each)] as const,
  );
  return {
    type: "object",
    properties: Object.fromEntries(entries),
    required: entries.map(([name]) => name),
    additionalProperties: false,
  };
}
