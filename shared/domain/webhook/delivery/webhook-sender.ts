import type { SendFailure } from "../../../vocabulary/events.ts";

/** The maximum time of an attempt, from resolving the name to the beginning of the response. */
export const sendTimeoutMs = 15_000;

export interface SendRequest {
  readonly url: string;
  readonly id: string;
  readonly body: string;
  readonly secrets: readonly string[];
  /** This many bytes of the response's body are returned; with 0 the body is not awaited. */
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
  /** Returns the reason to refuse an address, before its name is resolved. */
  refusalOf(url: string): string | undefined;
  /** Never throws for a failure of the other end. */
  send(request: SendRequest): Promise<SendOutcome>;
}

export function isSuccess({ statusCode }: Pick<SendOutcome, "statusCode">): boolean {
  return statusCode !== null && statusCode >= 200 && statusCode < 300;
}
