import { describe, expect, it, vi } from "vitest";
import { BodyTurns } from "../../../infra/local/lambda/body-turns.ts";
import { bodiesAtOnce, bodyTurnMs, largeBodyBytes } from "../../../infra/local/lambda/limits.ts";

/** The turns of requests with large bodies, as far as they have got one. */
function asked(turns: BodyTurns, count: number) {
  const taken: (() => void)[] = [];
  for (let at = 0; at < count; at += 1) void turns.take(largeBodyBytes).then((end) => taken.push(end));
  return taken;
}

const settled = () => new Promise(setImmediate);

describe("turns of large bodies", () => {
  it("leaves a processor to others, and goes on in the order of the requests", async () => {
    const turns = new BodyTurns(() => bodyTurnMs);
    const taken = asked(turns, bodiesAtOnce + 2);
    await settled();
    expect(taken).toHaveLength(bodiesAtOnce);
    taken[0]?.();
    taken[0]?.();
    await settled();
    expect(taken).toHaveLength(bodiesAtOnce + 1);
  });

  it("lets small bodies, and requests without one, pass", async () => {
    const turns = new BodyTurns(() => bodyTurnMs);
    asked(turns, bodiesAtOnce + 1);
    await turns.take(largeBodyBytes - 1);
    await turns.take(0);
  });

  it("ends the turn of a request that waits for something else", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const turns = new BodyTurns(() => bodyTurnMs);
      const taken = asked(turns, bodiesAtOnce + 1);
      await settled();
      vi.advanceTimersByTime(bodyTurnMs);
      await settled();
      expect(taken).toHaveLength(bodiesAtOnce + 1);
    } finally {
      vi.useRealTimers();
    }
  });
});
