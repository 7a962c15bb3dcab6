import { hashOf } from "../../hash-of.ts";
import type { ModelUsage } from "../../model/language-models.ts";
import type { Cursor, ModelCursor, Phase } from "../execution.ts";
import { advanced, next, type StepResult } from "../step/step-result.ts";

/** Before any model was asked. */
export const firstModelCursor: ModelCursor = {
  mode: "replay",
  choice: 0,
  turn: 0,
  from: 1,
  place: null,
  firstStep: 0,
  lookCount: 0,
  agentic: 0,
  repaired: 0,
  repairs: 0,
  same: { print: "", times: 0 },
  silent: 0,
  idle: 0,
  refused: 0,
  cutOff: 0,
  misfits: 0,
  waits: 0,
  waitedMs: 0,
  tokens: [],
};

/** Before the first reply of another conversation. */
export function conversationOf({ goals: _goals, unseen: _unseen, ...model }: ModelCursor): ModelCursor {
  return {
    ...model,
    from: model.turn + 1,
    place: null,
    same: firstModelCursor.same,
    silent: 0,
    idle: 0,
    refused: 0,
    cutOff: 0,
    misfits: 0,
    waits: 0,
    waitedMs: 0,
  };
}

/** With the phase in which a model is asked, or its reply is gone on with. */
export function withModel(cursor: Cursor, model: ModelCursor, phase: Phase = phaseOf(model)): Cursor {
  return { ...cursor, phase, model };
}

function phaseOf({ mode, place }: ModelCursor): Phase {
  if (mode === "replay") return "replay";
  return place === null ? "ask_model" : "act_on_reply";
}

/** Goes on there, with the same step of the run. */
export function goOn(cursor: Cursor, model: ModelCursor, waitSeconds = 0): StepResult {
  return next(withModel(cursor, model), waitSeconds);
}

/** Goes on with the next step of the run, or with the next piece of the same action. */
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
  /** The screen has to be seen before anything else. */
  readonly isBlind?: boolean;
}

/** The model of a phase that has one. */
export function modelOf({ model }: Cursor): ModelCursor {
  if (model === undefined) throw new Error("a phase of a model has none");
  return model;
}

/** With what a call has used. */
export function withUsage(model: ModelCursor, usage: ModelUsage): ModelCursor {
  const tokens = Array.from({ length: Math.max(model.tokens.length, model.choice + 1) }, (_, choice) => {
    const [input, output, cached] = model.tokens[choice] ?? [0, 0, 0];
    if (choice !== model.choice) return [input, output, cached] as const;
    const { inputTokens, outputTokens, cachedTokens } = usage;
    return [input + inputTokens, output + outputTokens, cached + cachedTokens] as const;
  });
  return { ...model, tokens };
}

/** In a few characters, so that it can be compared with the next one. */
export function printOf(action: object): string {
  return (hashOf(JSON.stringify(action)) >>> 0).toString(36);
}
