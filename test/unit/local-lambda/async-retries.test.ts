import { describe, expect, it } from "vitest";
import { AsyncRetries } from "../../../infra/local/lambda/async-retries.ts";

const hourMs = 3_600_000;
const lambdas = { asyncRetriesMax: 2, asyncEventAgeMaxMs: 6 * hourMs };

function pausesOf(rules: typeof lambdas, kind: string): readonly number[] {
  const retries = new AsyncRetries(rules);
  const pauses: number[] = [];
  for (let ageMs = 0; ; ) {
    const pauseMs = retries.pauseMsAfter(kind, ageMs);
    if (pauseMs === undefined) return pauses;
    pauses.push(pauseMs);
    ageMs += pauseMs;
  }
}

describe("an asynchronous event", () => {
  it("that fails is tried twice more, or as often as the function says", () => {
    expect(pausesOf(lambdas, "error")).toEqual([60_000, 120_000]);
    expect(pausesOf({ ...lambdas, asyncRetriesMax: 1 }, "timeout")).toEqual([60_000]);
  });

  it("that is throttled is tried after pauses from 1 s to 5 min, for six hours", () => {
    const pauses = pausesOf(lambdas, "throttled");
    expect(pauses.slice(0, 10)).toEqual(
      [1, 2, 4, 8, 16, 32, 64, 128, 256, 300].map((seconds) => seconds * 1_000),
    );
    expect(Math.max(...pauses)).toBe(300_000);
    const totalMs = pauses.reduce((sum, each) => sum + each, 0);
    expect(totalMs).toBeLessThanOrEqual(6 * hourMs);
    expect(totalMs).toBeGreaterThan(6 * hourMs - 300_000);
  });

  it("is given up at the age that the function says", () => {
    expect(pausesOf({ ...lambdas, asyncEventAgeMaxMs: 60_000 }, "throttled")).toHaveLength(5);
  });

  it("that was throttled has as many tries left as before", () => {
    const retries = new AsyncRetries(lambdas);
    expect(retries.pauseMsAfter("throttled", 0)).toBe(1_000);
    expect(retries.pauseMsAfter("error", 1_000)).toBe(60_000);
    expect(retries.pauseMsAfter("error", 61_000)).toBe(120_000);
    expect(retries.pauseMsAfter("error", 181_000)).toBeUndefined();
  });
});
