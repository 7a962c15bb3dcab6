import { ApiError, ApiUnreachable } from "./api-error.ts";

export interface RetrySettings {
  readonly attemptsMax: number;
  readonly totalMs: number;
}

export const defaultRetrySettings: RetrySettings = { attemptsMax: 4, totalMs: 60_000 };

/** The response may name another pause. */
const firstPauseMs = 200;
const longestPauseMs = 5_000;

/** These failures are transient. A 500 is a bug and would repeat. */
const passingStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** Returns undefined for no retry. @param random is from 0 up to 1, so that clients do not retry all at once. */
export function pauseBeforeRetry(failure: unknown, attempt: number, random: number): number | undefined {
  const backoffMs = random * Math.min(longestPauseMs, firstPauseMs * 2 ** attempt);
  if (failure instanceof ApiUnreachable) return backoffMs;
  if (!(failure instanceof ApiError)) return undefined;
  const { errorCode, retryAfterSeconds, status } = failure;
  // This error is final: every repeat under this key gets the same response.
  if (errorCode === "outcome_unknown") return undefined;
  if (!passingStatuses.has(status) && errorCode !== "request_in_progress") return undefined;
  return retryAfterSeconds === undefined ? backoffMs : retryAfterSeconds * 1_000 + random * firstPauseMs;
}
