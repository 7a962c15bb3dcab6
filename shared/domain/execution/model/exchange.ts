import type { ModelReply } from "../../model/language-models.ts";
import type { FoundKey, NoKey } from "../../model/provider-key.ts";
import type { Rectangle, Size } from "../../picture/picture.ts";
import type { RunStep } from "../../run-step/run-step.ts";

/** A picture of a step, in the bucket: whole, or a part of it. */
export interface KeptPicture {
  readonly key: string;
  readonly part: Rectangle | null;
}

export interface KeptResult {
  readonly callId: string;
  readonly toolName: string;
  readonly isError: boolean;
  readonly text: string;
  readonly picture: KeptPicture | null;
}

/** A message to a model between two of its replies. */
export type Told =
  | { readonly role: "user"; readonly text: string; readonly picture: KeptPicture | null }
  | { readonly role: "results"; readonly results: readonly KeptResult[] };

/** One call of a model: what it was told since the one before, and its reply. */
export interface Exchange {
  readonly told: readonly Told[];
  readonly reply: Extract<ModelReply, { readonly kind: "replied" | "refused" | "cut_off" }>;
  /** The size of the last picture of the whole screen, as it was sent and as it is. */
  readonly sent: Size;
  readonly screen: Size;
}

interface KeyAhead {
  /** The index of the plan's model. */
  readonly choice: number;
  readonly atMs: number;
  /** Undefined: it could not be looked up. */
  readonly found: Promise<FoundKey | NoKey | undefined>;
}

/** An invocation's memory of a conversation; all of it can be read again. */
export interface ConversationMemory {
  readonly exchanges: Map<number, Exchange>;
  /** The last step that a model has decided, as its row has it. */
  lastStep: RunStep | undefined;
  /** The key that was looked up while the desktop acted, for the call that follows. */
  key?: KeyAhead;
  /** Pictures as they were sent. */
  readonly sent: Map<string, Size & { readonly png: Uint8Array }>;
  /** The prompt's own, by their keys. */
  readonly images: Map<string, Uint8Array>;
}
