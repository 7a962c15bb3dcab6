/** Lambda's pauses after a first and a second error. */
const errorPausesMs = [60_000, 120_000] as const;
const throttledPauseMinMs = 1_000;
const throttledPauseMaxMs = 300_000;

export interface AsyncRules {
  readonly asyncRetriesMax: number;
  /** The age from which Lambda drops an event that it could not hand over. */
  readonly asyncEventAgeMaxMs: number;
}

/**
 * The pauses between the tries of one asynchronous event. A throttled one is no try that failed: it is repeated until the
 * event is too old.
 *
 * Source: https://docs.aws.amazon.com/lambda/latest/dg/invocation-async-error-handling.html
 */
export class AsyncRetries {
  readonly #rules: AsyncRules;
  readonly #pausesMs: readonly number[];
  #errors = 0;
  #throttles = 0;

  constructor(rules: AsyncRules, pausesMs: readonly number[] = errorPausesMs) {
    this.#rules = rules;
    this.#pausesMs = pausesMs;
  }

  /** Returns undefined once the event is given up. @param ageMs counts from when the event came. */
  pauseMsAfter(kind: string, ageMs: number): number | undefined {
    const pauseMs = kind === "throttled" ? this.#afterThrottle() : this.#afterError();
    if (pauseMs === undefined || ageMs + pauseMs > this.#rules.asyncEventAgeMaxMs) return undefined;
    return pauseMs;
  }

  #afterThrottle(): number {
    this.#throttles += 1;
    return Math.min(throttledPauseMaxMs, throttledPauseMinMs * 2 ** (this.#throttles - 1));
  }

  #afterError(): number | undefined {
    const pauseMs = this.#pausesMs[this.#errors];
    this.#errors += 1;
    return this.#errors > this.#rules.asyncRetriesMax ? undefined : pauseMs;
  }
}
