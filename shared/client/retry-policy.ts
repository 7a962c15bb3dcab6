import { ApiError, ApiUnreachable } from "./api-error.ts";

export interface RetrySettings {
  /** Attempts in all. @default 4 */
  readonly attemptsMax: number;
  /** Milliseconds for all attempts and the pauses between them. @default 60,000 */
  readonly totalMs: number;
}

export const defaultRetrySettings: RetrySettings = { attemptsMax: 4, totalMs: 60_000 };

/** Unless the response names a pause. */
const firstPauseMs = 200;
const longestPauseMs = 5_000;

/** Transient failures. A 500 is a bug, and would repeat. */
const passingStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/**
 * How long to wait before the same request is sent again; undefined for never.
 *
 * @param failure the result of an attempt that can be repeated safely.
 * @param attempt from 1.
 * @param random from 0 up to 1, so that clients do not retry all at once.
 */
export function pauseBeforeRetry(failure: unknown, attempt: number, random: number): number | undefined {
  const backoffMs = random * Math.min(longestPauseMs, firstPauseMs * 2 ** attempt);
  if (failure instanceof ApiUnreachable) return backoffMs;
  if (!(failure instanceof ApiError)) return undefined;
  const { errorCode, retryAfterSeconds, status } = failure;
  // Final: every repeat under this key gets the same response.
  if (errorCode === "outcome_unknown") return undefined;
  if (!passingStatuses.has(status) && errorCode !== "request_in_progress") return undefined;
  return retryAfterSeconds === undefined ? backoffMs : retryAfterSeconds * 1_000 + random * firstPauseMs;
}
