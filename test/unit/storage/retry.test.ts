import { describe, expect, it } from "vitest";
import { retryUntilDeadline } from "../../../shared/storage/table/retry.ts";
import { FakeClock } from "../../support/fakes/fake-clock.ts";

function setUp(random: number, withinMs: number) {
  const clock = new FakeClock(0);
  const moments: number[] = [];
  const policy = { clock, random: () => random, deadlineMs: withinMs };
  const attempt = (succeedsAfter: number) => async () => {
    moments.push(clock.now());
    return moments.length > succeedsAfter ? { done: "yes" } : { again: new Error("busy") };
  };
  return { policy, moments, attempt };
}

describe("trying again", () => {
  it("doubles the longest pause up to a second", async () => {
    const { policy, moments, attempt } = setUp(0.999_999, 60_000);
    expect(await retryUntilDeadline(policy, attempt(8))).toBe("yes");
    const pauses = moments.slice(1).map((moment, index) => moment - (moments[index] ?? 0));
    expect(pauses).toEqual([24, 49, 99, 199, 399, 799, 999, 999]);
  });

  it("may pause for no time at all", async () => {
    const { policy, moments, attempt } = setUp(0, 60_000);
    await retryUntilDeadline(policy, attempt(3));
    expect(moments).toEqual([0, 0, 0, 0]);
  });

  it("ends before a pause that would go beyond the deadline, with what stood in the way", async () => {
    const { policy, moments, attempt } = setUp(0.999_999, 170);
    const error = await retryUntilDeadline(policy, attempt(99)).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: "service_unavailable", cause: { message: "busy" } });
    expect(moments).toEqual([0, 24, 73]);
  });
});
