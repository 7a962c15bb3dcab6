import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { FakeClock } from "../fakes/fake-clock.ts";
import type { CreateTableStores } from "../stores/table-stores.ts";

export function rateLimiterSuite(create: CreateTableStores): void {
  describe("a rate limiter", () => {
    const setUp = () => {
      // The time is ten seconds into a window.
      const clock = new FakeClock(Date.UTC(2026, 0, 15, 12, 0, 10));
      return { clock, limiter: create({ clock }).rateLimiter, name: `address#${randomUUID()}` };
    };

    it("lets through as many as the limit in one window, and says what remains", async () => {
      const { limiter, name, clock } = setUp();
      const allowed = { kind: "allowed", limit: 2 };
      expect(await limiter.take({ name, limit: 2 })).toEqual({ ...allowed, remaining: 1, resetSeconds: 50 });
      clock.advance(9_500);
      expect(await limiter.take({ name, limit: 2 })).toEqual({ ...allowed, remaining: 0, resetSeconds: 41 });
      expect(await limiter.take({ name, limit: 2 })).toEqual({
        kind: "refused",
        limit: 2,
        resetSeconds: 41,
        retryAfterSeconds: 41,
      });
    });

    it("begins anew with the next window", async () => {
      const { limiter, name, clock } = setUp();
      await limiter.take({ name, limit: 1 });
      clock.advance(49_999);
      expect(await limiter.take({ name, limit: 1 })).toMatchObject({ kind: "refused", retryAfterSeconds: 1 });
      clock.advance(1);
      expect(await limiter.take({ name, limit: 1 })).toMatchObject({ kind: "allowed", resetSeconds: 60 });
    });

    it("has windows of another length for a bucket that names one", async () => {
      const { limiter, name, clock } = setUp();
      const bucket = { name, limit: 1, windowSeconds: 1 };
      clock.advance(400);
      expect(await limiter.take(bucket)).toMatchObject({ kind: "allowed", resetSeconds: 1 });
      expect(await limiter.take(bucket)).toMatchObject({ kind: "refused", retryAfterSeconds: 1 });
      clock.advance(600);
      expect(await limiter.take(bucket)).toMatchObject({ kind: "allowed" });
    });

    it("does not count what it refuses", async () => {
      const { limiter, name } = setUp();
      for (let count = 0; count < 5; count++) await limiter.take({ name, limit: 2 });
      expect(await limiter.take({ name, limit: 3 })).toMatchObject({ kind: "allowed", remaining: 0 });
    });

    it("lets exactly the limit through when many come at once", async () => {
      const { limiter, name } = setUp();
      const decisions = await Promise.all(Array.from({ length: 20 }, () => limiter.take({ name, limit: 7 })));
      expect(decisions.filter((decision) => decision.kind === "allowed")).toHaveLength(7);
    });

    it("keeps buckets apart, and lets nothing into one without room", async () => {
      const { limiter, name } = setUp();
      await limiter.take({ name, limit: 1 });
      expect(await limiter.take({ name: `${name}#1`, limit: 1 })).toMatchObject({ kind: "allowed" });
      expect(await limiter.take({ name: `${name}#2`, limit: 0 })).toMatchObject({ kind: "refused" });
    });
  });
}
