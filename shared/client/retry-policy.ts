import { ApiError, ApiUnreachable } from "./api-error.ts";

export interface RetrySettings {
  /** Attempts in all. @default 4 */
  readonly attemptsMax: number;
  /** Milliseconds for all attempts and the pauses between them. @default 60,000 */
  readonly totalMs: number;
}

export const defaultRetrySettings: RetrySettings = { attemptsMax: 4, totalMs: 60_000 };

/** Where the answer says no better. */
const firstPauseMs = 200;
const longestPauseMs = 5_000;

/** What passes by itself. A 500 is a bug, and comes again. */
const passingStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/**
 * How long to wait before the same request is sent again; undefined for never.
 *
 * @param failure what the attempt ended with, which could be sent again without doing anything twice.
 * @param attempt from 1.
 * @param random from 0 up to 1, for pauses that do not fall together.
 */
export function pauseBeforeRetry(failure: unknown, attempt: number, random: number): number | undefined {
  const backoffMs = random * Math.min(longestPauseMs, firstPauseMs * 2 ** attempt);
  if (failure instanceof ApiUnreachable) return backoffMs;
  if (!(failure instanceof ApiError)) return undefined;
  const { errorCode, retryAfterSeconds, status } = failure;
  // Told once, and the same for ever under this key.
  if (errorCode === "outcome_unknown") return undefined;
  if (!passingStatuses.has(status) && errorCode !== "request_in_progress") return undefined;
  return retryAfterSeconds === undefined ? backoffMs : retryAfterSeconds * 1_000 + random * firstPauseMs;
}
