import {
  type RateBucket,
  type RateDecision,
  type RateLimiter,
  rateWindowSeconds,
} from "../../domain/access/rate-limits.ts";
import { DynamoStore } from "../table/dynamo-store.ts";
import type { StoreDeps } from "../table/dynamo-table.ts";
import { rateKey } from "../table/keys.ts";

const fullMax = 1_000;

/** An instance that has met a full window refuses without a write until the window's end, so a flood costs nothing. */
export class DynamoRateLimiter extends DynamoStore<StoreDeps> implements RateLimiter {
  readonly #full = new Set<string>();

  async take({ name, limit, windowSeconds = rateWindowSeconds }: RateBucket): Promise<RateDecision> {
    const windowMs = windowSeconds * 1_000;
    const nowMs = this.deps.clock.now();
    const window = Math.floor(nowMs / windowMs);
    const endsAtMs = (window + 1) * windowMs;
    const resetSeconds = Math.ceil((endsAtMs - nowMs) / 1_000);
    const refused = { kind: "refused", limit, resetSeconds, retryAfterSeconds: resetSeconds } as const;
    const key = rateKey(name, window);
    const bucket = `${limit} ${key.pk}`;
    if (limit < 1 || this.#full.has(bucket)) return refused;
    const outcome = await this.table.update(
      key,
      { set: { kind: "rate_bucket", ttl: endsAtMs / 1_000 + 60 }, add: { count: 1 } },
      { expression: "attribute_not_exists(count) OR count < :limit", values: { limit } },
    );
    if (outcome.kind === "failed") {
      if (this.#full.size >= fullMax) this.#full.clear();
      this.#full.add(bucket);
      return refused;
    }
    return { kind: "allowed", limit, remaining: limit - Number(outcome.item.count), resetSeconds };
  }
}
