import type { Json, JsonObject } from "../../json.ts";
import { checkQuestion, outputQuestion } from "../../model/reading-prompt.ts";
import type { Cursor, ModelCursor } from "../execution.ts";
import type { Invocation } from "../step/invocation.ts";
import type { StepResult } from "../step/step-result.ts";
import { firstModelCursor } from "./model-cursor.ts";
import { answerFromScreen, type ScreenAnswer } from "./read-from-screen.ts";
import { taskWords } from "./task-words.ts";

export type Judged =
  | { readonly kind: "judged"; readonly problem: string | undefined; readonly model: ModelCursor | undefined }
  | { readonly kind: "result"; readonly result: StepResult };

const verdictSchema: JsonObject = {
  type: "object",
  properties: { holds: { type: "boolean" }, reason: { type: "string" } },
  required: ["holds", "reason"],
  additionalProperties: false,
};

export async function judgeSentences(invocation: Invocation, cursor: Cursor): Promise<Judged> {
  let { model } = cursor;
  for (const check of invocation.plan.trajectory.checks) {
    if (check.kind !== "sentence") continue;
    const sentence = invocation.filled(check.text);
    const answer = await answerFromScreen(invocation, cursor, model ?? firstModelCursor, {
      question: checkQuestion(sentence),
      schema: verdictSchema,
    });
    if (answer.kind === "result") return answer;
    model = answer.model;
    const problem = problemOf(sentence, answer);
    if (problem !== undefined) return { kind: "judged", problem, model };
  }
  return { kind: "judged", problem: undefined, model };
}

function problemOf(sentence: string, answer: Exclude<ScreenAnswer, { kind: "result" }>): string | undefined {
  if (answer.kind === "none") return `whether "${sentence}" could not be judged: ${answer.error}`;
  const { holds, reason } = answer.value as { readonly holds: boolean; readonly reason: string };
  return holds ? undefined : `every step was done, but not "${sentence}": ${reason}`;
}

export async function answerOutput(
  invocation: Invocation,
  cursor: Cursor,
  recorded: Json,
): Promise<ScreenAnswer> {
  const { outputSchema } = invocation.plan.workflow;
  // The service's own values have a slash in their names.
  const saved = Object.fromEntries([...invocation.saved].filter(([name]) => !name.includes("/")));
  return await answerFromScreen(invocation, cursor, cursor.model ?? firstModelCursor, {
    question: outputQuestion({ task: taskWords(invocation), saved: JSON.stringify(saved), recorded }),
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
