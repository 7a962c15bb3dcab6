import type { ImageType } from "../../vocabulary/files.ts";
import type { Action, ActionType } from "../action/action.ts";
import type { Json, JsonObject } from "../json.ts";
import type { Size } from "../picture/picture.ts";
import type { ModelChoice } from "./model-choice.ts";
import type { ProviderKey } from "./provider-key.ts";

export interface LanguageModels {
  /** In pixels: the longer side of the largest picture that its provider does not shrink; 1,280 where unknown. */
  pictureSizeMax(choice: Pick<ModelChoice, "provider" | "model">): number;
  /** Never throws for what the provider does: a reply says what happened. */
  ask(request: ModelRequest): Promise<ModelReply>;
}

export interface ModelRequest {
  readonly choice: ModelChoice;
  readonly key: ProviderKey;
  /** The run's id, under which the provider may cache. */
  readonly runId: string;
  readonly system: string;
  /** Oldest first; begins with one of the user. */
  readonly turns: readonly ConversationTurn[];
  readonly tools: ModelTools;
  /** Size of the pictures that are sent, in which the model's coordinates are. */
  readonly display: Size;
  readonly timeoutMs: number;
}

export type ModelTools =
  | {
      readonly kind: "actions";
      readonly types: readonly ActionType[];
      /** The action `open` opens these. */
      readonly programs?: readonly string[];
    }
  /** One answer that fits the JSON Schema; the model may look at the pictures only. */
  | { readonly kind: "answer"; readonly schema: JsonObject };

export interface ModelPicture extends Size {
  readonly png: Uint8Array;
}

export interface PromptPicture {
  readonly contentType: ImageType;
  readonly bytes: Uint8Array;
}

export type ConversationTurn =
  | {
      readonly role: "user";
      readonly parts: readonly (string | PromptPicture)[];
      /** The pictures follow the parts. */
      readonly pictures: readonly ModelPicture[];
    }
  | ModelTurn
  /** The results of the turn before, one for each of its calls, in their order. */
  | { readonly role: "results"; readonly results: readonly CallResult[] };

export interface ModelTurn {
  readonly role: "model";
  readonly provider: ModelChoice["provider"];
  readonly model: string;
  /** The adapter's own: item ids, signatures and thinking are in it. */
  readonly content: Json;
  /** It goes on as another model's would: what was taken out of its thinking its provider would miss. */
  readonly inWords?: true;
}

export interface CallResult {
  readonly callId: string;
  readonly toolName: string;
  readonly isError: boolean;
  readonly text: string;
  readonly picture: ModelPicture | undefined;
}

export interface ModelUsage {
  /** All input tokens; `cachedTokens` of them came from the provider's cache. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens: number;
}

export type ModelReply =
  | {
      readonly kind: "replied";
      readonly turn: ModelTurn;
      /** The model's words beside its calls; "" where there are none. */
      readonly text: string;
      readonly calls: readonly ModelCall[];
      readonly usage: ModelUsage;
      /** A sentence that the provider demands a person's confirmation for. */
      readonly confirmation: string | null;
    }
  | { readonly kind: "answered"; readonly value: Json; readonly usage: ModelUsage }
  /** The model refused, or its provider filtered the reply. */
  | { readonly kind: "refused"; readonly text: string; readonly usage: ModelUsage }
  | { readonly kind: "cut_off"; readonly usage: ModelUsage }
  /** A question was left without an answer. An answer is not checked against its schema here. */
  | { readonly kind: "unusable"; readonly error: string; readonly usage: ModelUsage }
  /** Nothing of it may be logged but this: the provider's words without the request. */
  | ModelFailure;

export interface ModelFailure {
  readonly kind: "failed";
  readonly reason: /** 429, 529, 5xx, a time-out, a broken stream, no JSON. */
  "unavailable" | "key_invalid" | "model_not_found" | "rejected";
  readonly error: string;
  readonly retryAfterMs: number | null;
}

export interface ModelCall {
  readonly callId: string;
  readonly toolName: string;
  readonly decision: ModelDecision;
}

/** A call in our vocabulary; coordinates are those of the picture that was sent. */
export type ModelDecision =
  /** One after the other: a provider's own action may be several of ours, such as a click with a key held. */
  | { readonly kind: "actions"; readonly actions: readonly Action[] }
  | {
      readonly kind: "zoom";
      readonly region: {
        readonly x: number;
        readonly y: number;
        readonly width: number;
        readonly height: number;
      };
    }
  /** Unknown, or wrong in itself: told to the model in these words. */
  | { readonly kind: "invalid"; readonly error: string };
