import type { ImageType } from "../../vocabulary/files.ts";
import type { Action, ActionType } from "../action/action.ts";
import type { Json, JsonObject } from "../json.ts";
import type { Size } from "../picture/picture.ts";
import type { ModelChoice } from "./model-choice.ts";
import type { ProviderKey } from "./provider-key.ts";

export interface LanguageModels {
  /** Returns the longer side, in pixels, of the largest picture that the provider does not shrink; else 1,280. */
  pictureSizeMax(choice: Pick<ModelChoice, "provider" | "model">): number;
  /** Never throws for a provider's failure, which the reply describes. */
  ask(request: ModelRequest): Promise<ModelReply>;
}

export interface ModelRequest {
  readonly choice: ModelChoice;
  readonly key: ProviderKey;
  /** The run's id, under which the provider may cache. */
  readonly runId: string;
  readonly system: string;
  /** Turns are oldest first, beginning with one of the user. */
  readonly turns: readonly ConversationTurn[];
  readonly tools: ModelTools;
  /** The size of the sent pictures, which the model's coordinates refer to. */
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
  /** One answer that fits the JSON Schema; the model may only look at the pictures. */
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
  /** The results of the previous turn, one for each of its calls, in their order. */
  | { readonly role: "results"; readonly results: readonly CallResult[] };

export interface ModelTurn {
  readonly role: "model";
  readonly provider: ModelChoice["provider"];
  readonly model: string;
  /** The adapter's own content, with item ids, signatures and thinking. */
  readonly content: Json;
  /** The turn continues as another model's would: its provider would miss what was removed from its thinking. */
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
  /** All input tokens, of which `cachedTokens` came from the provider's cache. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens: number;
}

export type ModelReply =
  | {
      readonly kind: "replied";
      readonly turn: ModelTurn;
      /** The model's words beside its calls, or "". */
      readonly text: string;
      readonly calls: readonly ModelCall[];
      readonly usage: ModelUsage;
      /** A sentence that a person must confirm, as the provider demands. */
      readonly confirmation: string | null;
    }
  | { readonly kind: "answered"; readonly value: Json; readonly usage: ModelUsage }
  /** The model refused, or its provider filtered the reply. */
  | { readonly kind: "refused"; readonly text: string; readonly usage: ModelUsage }
  | { readonly kind: "cut_off"; readonly usage: ModelUsage }
  /** A question was left without an answer. Answers are not checked against their schema here. */
  | { readonly kind: "unusable"; readonly error: string; readonly usage: ModelUsage }
  /** Only this outcome may be logged: it has the provider's words, but not the request. */
  | ModelFailure;

export interface ModelFailure {
  readonly kind: "failed";
  readonly reason: /** The status was 429, 529 or 5xx, the call timed out, or the response was broken or not JSON. */
  "unavailable" | "key_invalid" | "model_not_found" | "rejected";
  readonly error: string;
  readonly retryAfterMs: number | null;
  /** An estimate where the provider may have done the work, but no reply could be read. */
  readonly usage: ModelUsage | null;
}

export interface ModelCall {
  readonly callId: string;
  readonly toolName: string;
  readonly decision: ModelDecision;
}

/** A call in the service's vocabulary; coordinates are those of the picture that was sent. */
export type ModelDecision =
  /** The actions follow one another: one of a provider's may be several here, such as a click with a key held. */
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
  /** The call is unknown or wrong in itself; the model reads this error. */
  | { readonly kind: "invalid"; readonly error: string };
