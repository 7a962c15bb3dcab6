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

export interface ThrottleOptions {
  readonly stageThrottle?: Throttle | undefined;
  readonly routeThrottles?: Readonly<Record<string, Throttle>>;
}

/** A route's own throttle replaces the stage's. */
export class Throttles {
  readonly #stage: TokenBucket | undefined;
  readonly #routes: ReadonlyMap<string, TokenBucket>;

  constructor({ stageThrottle, routeThrottles = {} }: ThrottleOptions) {
    this.#stage = stageThrottle && new TokenBucket(stageThrottle);
    this.#routes = new Map(
      Object.entries(routeThrottles).map(([key, throttle]) => [key, new TokenBucket(throttle)]),
    );
  }

  take(routeKey: string): boolean {
    return (this.#routes.get(routeKey) ?? this.#stage)?.take() ?? true;
  }
}
