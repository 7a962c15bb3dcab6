export interface Throttle {
  readonly rate: number;
  readonly burst: number;
}

/** Source: https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-throttling.html */
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
