import type { ModelCursor } from "../../conversation/conversation-cursor.ts";
import { hashOf } from "../../hash-of.ts";
import type { Cursor, Phase } from "../execution.ts";
import { advanced, next, type StepResult } from "../step/step-result.ts";

export type CursorWithModel = Cursor & { readonly model: ModelCursor };

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

export function printOf(action: object): string {
  return (hashOf(JSON.stringify(action)) >>> 0).toString(36);
}
