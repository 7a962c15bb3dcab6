import type { RateBucket, RateDecision, RateLimiter } from "../../../shared/domain/access/rate-limits.ts";
import type { Clock } from "../../../shared/domain/clock.ts";

export class InMemoryRateLimiter implements RateLimiter {
  readonly #clock: Pick<Clock, "now">;
  readonly #counts = new Map<string, number>();

  constructor(clock: Pick<Clock, "now">) {
    this.#clock = clock;
  }

  async take(bucket: RateBucket): Promise<RateDecision> {
    const windowMs = 60_000;
    const window = Math.floor(this.#clock.now() / windowMs);
    const resetSeconds = Math.ceil(((window + 1) * windowMs - this.#clock.now()) / 1_000);
    const key = `${bucket.name} ${window}`;
    const count = this.#counts.get(key) ?? 0;
    if (count >= bucket.limit) {
      return { kind: "refused", limit: bucket.limit, resetSeconds, retryAfterSeconds: resetSeconds };
    }
    this.#counts.set(key, count + 1);
    return { kind: "allowed", limit: bucket.limit, remaining: bucket.limit - count - 1, resetSeconds };
  }
}
