import type { ModelReply } from "../../model/language-models.ts";
import type { FoundKey, NoKey } from "../../model/provider-key.ts";
import type { Rectangle, Size } from "../../picture/picture.ts";
import type { RunStep } from "../../run-step/run-step.ts";

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

export type Told =
  | { readonly role: "user"; readonly text: string; readonly picture: KeptPicture | null }
  | { readonly role: "results"; readonly results: readonly KeptResult[] };

export interface Exchange {
  readonly told: readonly Told[];
  readonly reply: Extract<ModelReply, { readonly kind: "replied" | "refused" | "cut_off" }>;
  /** The size of the last whole picture, as sent and as taken. */
  readonly sent: Size;
  readonly screen: Size;
}

interface KeyAhead {
  readonly choice: number;
  readonly atMs: number;
  readonly found: Promise<FoundKey | NoKey | undefined>;
}

/** All of the memory can be read again. */
export interface ConversationMemory {
  readonly exchanges: Map<number, Exchange>;
  lastStep: RunStep | undefined;
  key?: KeyAhead;
  readonly sent: Map<string, Size & { readonly png: Uint8Array }>;
  readonly images: Map<string, Uint8Array>;
}
