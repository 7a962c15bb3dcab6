import { hashOf } from "../../hash-of.ts";
import type { ModelUsage } from "../../model/language-models.ts";
import type { Cursor, ModelCursor, Phase } from "../execution.ts";
import { advanced, next, type StepResult } from "../step/step-result.ts";

export type CursorWithModel = Cursor & { readonly model: ModelCursor };

export const freshCounts = {
  place: null,
  silent: 0,
  idle: 0,
  refused: 0,
  cutOff: 0,
  waits: 0,
  waitedMs: 0,
} as const;

const newConversation = { ...freshCounts, same: { print: "", times: 0 }, misfits: 0 } as const;

export const firstModelCursor: ModelCursor = {
  ...newConversation,
  mode: "replay",
  choice: 0,
  turn: 0,
  from: 1,
  firstStep: 0,
  lookCount: 0,
  agentic: 0,
  repaired: 0,
  repairs: 0,
  tokens: [],
};

export function conversationOf({ goals: _goals, unseen: _unseen, ...model }: ModelCursor): ModelCursor {
  return { ...model, ...newConversation, from: model.turn + 1 };
}

export function withModel(cursor: Cursor, model: ModelCursor, phase: Phase = phaseOf(model)): Cursor {
  return { ...cursor, phase, model };
}

function phaseOf({ mode, place }: ModelCursor): Phase {
  if (mode === "replay") return "replay";
  return place === null ? "ask_model" : "act_on_reply";
}

export function goOn(cursor: Cursor, model: ModelCursor, waitSeconds = 0): StepResult {
  return next(withModel(cursor, model), waitSeconds);
}

export function goToNext(
  cursor: Cursor,
  model: ModelCursor,
  { piece = 0, waitSeconds = 0, isBlind = false }: NextOfModel = {},
): StepResult {
  return next(withModel(advanced(cursor, { piece }), model, isBlind ? "see_screen" : undefined), waitSeconds);
}

interface NextOfModel {
  readonly piece?: number;
  readonly waitSeconds?: number;
  readonly isBlind?: boolean;
}

export function requireModel(cursor: Cursor): CursorWithModel {
  const { model } = cursor;
  if (model === undefined) throw new Error("a phase of a model has none");
  return { ...cursor, model };
}

export function withUsage(model: ModelCursor, usage: ModelUsage): ModelCursor {
  const tokens = Array.from({ length: Math.max(model.tokens.length, model.choice + 1) }, (_, choice) => {
    const [input, output, cached] = model.tokens[choice] ?? [0, 0, 0];
    if (choice !== model.choice) return [input, output, cached] as const;
    const { inputTokens, outputTokens, cachedTokens } = usage;
    return [input + inputTokens, output + outputTokens, cached + cachedTokens] as const;
  });
  return { ...model, tokens };
}

export function printOf(action: object): string {
  return (hashOf(JSON.stringify(action)) >>> 0).toString(36);
}
