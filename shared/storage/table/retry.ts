import type { Clock } from "../../domain/clock.ts";
import { DomainError } from "../../domain/errors.ts";

export interface RetryPolicy {
  readonly clock: Clock;
  /** From 0 to below 1. */
  readonly random: () => number;
  /** Timestamp (ms) after which nothing is retried. */
  readonly deadlineMs: () => number;
}

const firstPauseMs = 25;
const longestPauseMs = 1_000;

/**
 * Retries with a pause between 0 and 25, 50, 100 … 1,000 ms ("full jitter"), until the deadline.
 *
 * Source: https://aws.amazon.com/builders-library/timeouts-retries-and-backoff-with-jitter/
 *
 * @param attempt returns `again` to be retried, with the error to throw at the deadline.
 * @throws {DomainError} `service_unavailable` at the deadline.
 */
export async function retryUntilDeadline<T>(
  policy: RetryPolicy,
  attempt: () => Promise<{ readonly done: T } | { readonly again: unknown }>,
): Promise<T> {
  const deadlineMs = policy.deadlineMs();
  for (let ceilingMs = firstPauseMs; ; ceilingMs = Math.min(ceilingMs * 2, longestPauseMs)) {
    const outcome = await attempt();
    if ("done" in outcome) return outcome.done;
    const pauseMs = Math.floor(policy.random() * ceilingMs);
    if (policy.clock.now() + pauseMs >= deadlineMs) throw unavailable(outcome.again);
    await policy.clock.sleep(pauseMs);
  }
}

/** What callers see when the table is unreachable or too busy. */
export function unavailable(cause: unknown): DomainError {
  return new DomainError("service_unavailable", "the service's storage is busy or away; try again", {
    retryAfterSeconds: 1,
    cause,
  });
}
