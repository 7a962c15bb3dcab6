import { describe, expect, it } from "vitest";
import { TokenBucket } from "../../../infra/local/gateway/token-bucket.ts";

describe("TokenBucket", () => {
  it("lets a burst through at once, then the rate", () => {
    let nowMs = 0;
    const bucket = new TokenBucket({ rate: 2, burst: 3 }, () => nowMs);
    expect([bucket.take(), bucket.take(), bucket.take(), bucket.take()]).toEqual([true, true, true, false]);
    nowMs = 499;
    expect(bucket.take()).toBe(false);
    nowMs = 500;
    expect([bucket.take(), bucket.take()]).toEqual([true, false]);
  });

  it("never saves up more than a burst", () => {
    let nowMs = 0;
    const bucket = new TokenBucket({ rate: 10, burst: 1 }, () => nowMs);
    nowMs = 60_000;
    expect([bucket.take(), bucket.take()]).toEqual([true, false]);
  });
});
