/** Steady rate in requests a second, and how many may come at once. */
export interface Throttle {
  readonly rate: number;
  readonly burst: number;
}

/**
 * API Gateway's throttling algorithm.
 *
 * Source: https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-throttling.html
 */
export class TokenBucket {
  readonly #throttle: Throttle;
  readonly #nowMs: () => number;
  #tokens: number;
  #filledAtMs: number;

  constructor(throttle: Throttle, nowMs: () => number = () => performance.now()) {
    this.#throttle = throttle;
    this.#nowMs = nowMs;
    this.#tokens = throttle.burst;
    this.#filledAtMs = nowMs();
  }

  /** Takes one token; false when there is none. */
  take(): boolean {
    const now = this.#nowMs();
    const gained = ((now - this.#filledAtMs) / 1000) * this.#throttle.rate;
    this.#tokens = Math.min(this.#throttle.burst, this.#tokens + gained);
    this.#filledAtMs = now;
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }
}
