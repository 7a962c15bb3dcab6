import type { SendFailure } from "../../../vocabulary/events.ts";

/** How long an attempt may take, from resolving the name to the beginning of the response. */
export const sendTimeoutMs = 15_000;

export interface SendRequest {
  readonly url: string;
  readonly id: string;
  readonly body: string;
  readonly secrets: readonly string[];
  /** Bytes of the response's body that are returned; 0: it is not waited for. */
  readonly keptBytes: number;
}

export interface SendOutcome {
  readonly statusCode: number | null;
  readonly error: SendFailure | null;
  readonly durationMs: number;
  readonly responseBody: string;
}

/** Posts signed events to addresses that are public, and follows no redirect. */
export interface WebhookSender {
  /** Refuses an address, with the reason, before its name is resolved. */
  refusalOf(url: string): string | undefined;
  /** Never throws for what the other end does. */
  send(request: SendRequest): Promise<SendOutcome>;
}

export function isSuccess({ statusCode }: Pick<SendOutcome, "statusCode">): boolean {
  return statusCode !== null && statusCode >= 200 && statusCode < 300;
}
