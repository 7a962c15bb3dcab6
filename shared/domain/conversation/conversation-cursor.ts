import type { ModelUsage } from "../model/language-models.ts";

export interface ModelCursor {
  readonly mode: "replay" | "task" | "repair" | "element";
  /** An index of the plan's choices; above 0 it is a fallback. */
  readonly choice: number;
  /** The number of recorded replies, of all conversations. */
  readonly turn: number;
  /** The number of the conversation's first reply, from 1. */
  readonly from: number;
  /** The next action of the last reply; null means that the model is called next. */
  readonly place: { readonly call: number; readonly action: number } | null;
  readonly firstStep: number;
  readonly lookCount: number;
  readonly agentic: number;
  readonly repaired: number;
  readonly repairs: number;
  /** The replay continues with one of these elements once its screen is seen. */
  readonly goals?: readonly number[] | undefined;
  /** The last action, and the number of times in a row that it left the screen unchanged. */
  readonly same: { readonly print: string; readonly times: number };
  /** Counts consecutive replies without a call, without an effect, refused, or cut off. */
  readonly silent: number;
  readonly idle: number;
  readonly refused: number;
  readonly cutOff: number;
  readonly misfits: number;
  /** Counts the ends at which the work was not visible; absent means none. */
  readonly unseen?: number | undefined;
  /** The index of the resumption that the model is told of next. */
  readonly resumed?: number | undefined;
  readonly waits: number;
  readonly waitedMs: number;
  readonly tokens: readonly (readonly [input: number, output: number, cached: number])[];
}

/** The place in a run at which its model gets a message. */
export interface ConversationPlace {
  readonly index: number;
  readonly element: number;
  readonly model: ModelCursor;
}

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

export function withUsage(model: ModelCursor, usage: ModelUsage): ModelCursor {
  const tokens = Array.from({ length: Math.max(model.tokens.length, model.choice + 1) }, (_, choice) => {
    const [input, output, cached] = model.tokens[choice] ?? [0, 0, 0];
    if (choice !== model.choice) return [input, output, cached] as const;
    const { inputTokens, outputTokens, cachedTokens } = usage;
    return [input + inputTokens, output + outputTokens, cached + cachedTokens] as const;
  });
  return { ...model, tokens };
}
