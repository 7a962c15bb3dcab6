import type { Clock } from "../../domain/clock.ts";
import { DomainError } from "../../domain/errors.ts";

export interface RetryPolicy {
  readonly clock: Clock;
  readonly random: () => number;
  /** Nothing is retried after this timestamp, in ms. */
  readonly deadlineMs: number;
}

const firstPauseMs = 25;
const longestPauseMs = 1_000;

/**
 * Pauses are between 0 and 25, 50, 100 … 1,000 ms ("full jitter"). @throws {DomainError} `service_unavailable` at the
 * deadline.
 *
 * Source: https://aws.amazon.com/builders-library/timeouts-retries-and-backoff-with-jitter/
 */
export async function retryUntilDeadline<T>(
  policy: RetryPolicy,
  attempt: (leftMs: number) => Promise<{ readonly done: T } | { readonly again: unknown }>,
): Promise<T> {
  const { clock, deadlineMs } = policy;
  for (let ceilingMs = firstPauseMs; ; ceilingMs = Math.min(ceilingMs * 2, longestPauseMs)) {
    const outcome = await attempt(deadlineMs - clock.now());
    if ("done" in outcome) return outcome.done;
    const pauseMs = Math.floor(policy.random() * ceilingMs);
    if (clock.now() + pauseMs >= deadlineMs) throw unavailable(outcome.again);
    await clock.sleep(pauseMs);
  }
}

export function unavailable(cause: unknown): DomainError {
  return new DomainError("service_unavailable", "the service's storage is busy or away; try again", {
    retryAfterSeconds: 1,
    cause,
  });
}
