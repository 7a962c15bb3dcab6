import type { IncomingHttpHeaders } from "node:http";

/** A decision in the contract's terms, which a format translates into its provider's. */
export type Decision =
  | { readonly call: string; readonly args: Readonly<Record<string, unknown>> }
  /** Broken JSON, where a format has arguments as text. */
  | { readonly call: string; readonly brokenArgs: string }
  | { readonly say: string };

export interface SeenPicture {
  readonly png: Buffer;
  readonly width: number;
  readonly height: number;
}

export interface Seen {
  readonly model: string;
  readonly system: string;
  readonly task: string;
  readonly picture: SeenPicture | undefined;
  readonly pictureCount: number;
  readonly words: string;
  readonly toolNames: readonly string[];
  readonly results: readonly SeenResult[];
  readonly turns: number;
}

interface SeenResult {
  readonly callId: string;
  readonly text: string;
  readonly isError: boolean;
}

export type Decide = (seen: Seen) => readonly Decision[];

export interface Segment {
  readonly content: unknown;
  readonly isMarked: boolean;
}

export interface Judged {
  readonly seen: Seen;
  readonly segments: readonly Segment[];
  /** The key under which a provider without marks caches. */
  readonly cacheKey: string;
}

export interface ProviderRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: unknown;
}

interface TokenCount {
  readonly input: number;
  readonly cached: number;
  readonly written: number;
  readonly output: number;
}

/** The end of a turn that is not the model's decision. */
export type Ending = "refusal" | "filtered" | "cut_off" | "confirmation";

export type ErrorKind =
  | "wrong_key"
  | "unknown_model"
  | "invalid"
  | "rate_limit"
  | "overloaded"
  | "server_error"
  | "no_money";

export interface ErrorReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** A provider's wire format: what a request must be, and what a reply is. */
export interface WireFormat {
  hasKey(request: ProviderRequest): boolean | Promise<boolean>;
  modelOf(request: ProviderRequest): string;
  /** @throws what is wrong with it, for the developer to read. */
  judge(request: ProviderRequest): Judged;
  reply(
    decisions: readonly Decision[],
    judged: Judged,
    tokens: TokenCount,
    ending: Ending | undefined,
  ): unknown;
  error(kind: ErrorKind, message: string): ErrorReply;
  /** Other endpoints at the address, such as the one of access tokens. */
  readonly aside?: ((path: string, body: string) => ErrorReply | undefined) | undefined;
  readonly cachesByMark: boolean;
}
