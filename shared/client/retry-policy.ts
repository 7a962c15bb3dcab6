import { ApiError, ApiUnreachable } from "./api-error.ts";

export interface RetrySettings {
  readonly attemptsMax: number;
  readonly totalMs: number;
}

export const defaultRetrySettings: RetrySettings = { attemptsMax: 4, totalMs: 60_000 };

export interface RetryDeps extends RetrySettings {
  readonly pause: (ms: number) => Promise<void>;
  readonly random: () => number;
  readonly now: () => number;
}

/** Attempts again while the failure is transient and there is time. @throws the last failure. */
export async function repeatedly<Result>(
  attempt: () => Promise<Result>,
  { attemptsMax, totalMs, pause, random, now }: RetryDeps,
  signal?: AbortSignal,
): Promise<Result> {
  const endMs = now() + totalMs;
  for (let count = 0; ; ) {
    try {
      return await attempt();
    } catch (failure) {
      // The first request under the key is being processed, and its response will come: the time bounds the wait alone.
      if (count === 0 || !isInProgress(failure)) count += 1;
      const pauseMs = pauseBeforeRetry(failure, count, random());
      const isLast = count >= attemptsMax || signal?.aborted === true;
      if (pauseMs === undefined || isLast || now() + pauseMs > endMs) throw failure;
      await pause(pauseMs);
    }
  }
}

/** The response may name another pause. */
const firstPauseMs = 200;
const longestPauseMs = 5_000;

/** These failures are transient. A 500 is a bug and would repeat. */
const passingStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504]);

function isInProgress(failure: unknown): boolean {
  return failure instanceof ApiError && failure.errorCode === "request_in_progress";
}

/** Returns undefined for no retry. @param random is from 0 up to 1, so that clients do not retry all at once. */
function pauseBeforeRetry(failure: unknown, attempt: number, random: number): number | undefined {
  const backoffMs = random * Math.min(longestPauseMs, firstPauseMs * 2 ** attempt);
  if (failure instanceof ApiUnreachable) return backoffMs;
  if (!(failure instanceof ApiError)) return undefined;
  const { errorCode, retryAfterSeconds, status } = failure;
  // This error is final: every repeat under this key gets the same response.
  if (errorCode === "outcome_unknown") return undefined;
  if (!passingStatuses.has(status) && !isInProgress(failure)) return undefined;
  return retryAfterSeconds === undefined ? backoffMs : retryAfterSeconds * 1_000 + random * firstPauseMs;
}
