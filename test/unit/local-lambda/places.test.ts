import { describe, expect, it, vi } from "vitest";
import {
  environmentsAtOnce,
  environmentsMax,
  patienceInStarts,
  patienceMs,
  patienceMsMax,
  startsAtOnce,
} from "../../../infra/local/lambda/limits.ts";
import { Places } from "../../../infra/local/lambda/places.ts";

function userWith(environments: number, idleForMs?: number, freedAtMs = Number.NEGATIVE_INFINITY) {
  return {
    state: { environments },
    freedAtMs,
    longestIdleSinceMs: idleForMs === undefined ? undefined : performance.now() - idleForMs,
    endLongestIdle: vi.fn(),
    startForWaiting: vi.fn(),
  };
}

const long = patienceMsMax;

describe("places of execution environments", () => {
  it("starts as many at once as there are processors, whichever function they are of", async () => {
    const [one, other] = [userWith(0), userWith(0)];
    const places = new Places(environmentsMax, () => [one, other]);
    const { promise, resolve } = Promise.withResolvers<void>();
    const starts = Array.from({ length: startsAtOnce }, () => {
      expect(places.isOneFree(one, 0)).toBe(true);
      return places.starting(() => promise);
    });
    expect(places.isOneFree(other, long)).toBe(false);
    resolve();
    await Promise.all(starts);
    expect(places.isOneFree(other, 0)).toBe(true);
  });

  it("lets a request of a busy function wait for a busy environment first", () => {
    const [busy, fresh] = [userWith(environmentsAtOnce), userWith(0)];
    const places = new Places(environmentsMax, () => [busy, fresh]);
    expect(places.isOneFree(busy, patienceMs - 1)).toBe(false);
    expect(places.isOneFree(busy, patienceMs)).toBe(true);
    expect(places.isOneFree(fresh, 0)).toBe(true);
  });

  it("lets it wait longer where environments become free meanwhile, and longest where starts take long", async () => {
    const turning = userWith(environmentsAtOnce, undefined, Number.POSITIVE_INFINITY);
    const stuck = userWith(environmentsAtOnce);
    const places = new Places(environmentsMax, () => [turning, stuck]);
    const startThatTakes = async (ms: number) => {
      vi.spyOn(performance, "now").mockReturnValueOnce(0).mockReturnValueOnce(ms);
      await places.starting(async () => undefined);
    };
    await startThatTakes(patienceMs);
    expect(places.isOneFree(stuck, patienceMs)).toBe(true);
    expect(places.isOneFree(turning, patienceInStarts * patienceMs - 1)).toBe(false);
    expect(places.isOneFree(turning, patienceInStarts * patienceMs)).toBe(true);
    await startThatTakes(patienceMsMax);
    expect(places.isOneFree(turning, patienceMsMax - 1)).toBe(false);
    expect(places.isOneFree(turning, patienceMsMax)).toBe(true);
  });

  it("starts at once while there are few of a function", () => {
    const user = userWith(environmentsAtOnce - 1);
    expect(new Places(environmentsMax, () => [user]).isOneFree(user, 0)).toBe(true);
  });

  it.each([
    ["ends the one that has been idle longest where none is free", long, true],
    ["ends none that is idle only between two requests", 0, false],
  ])("%s", (_, idleForMs, isFree) => {
    const [asking, idle] = [userWith(environmentsMax - 2), userWith(2, idleForMs)];
    expect(new Places(environmentsMax, () => [asking, idle]).isOneFree(asking, long)).toBe(isFree);
    expect(idle.endLongestIdle).toHaveBeenCalledTimes(isFree ? 1 : 0);
  });

  it("offers a turn to the functions without an environment first", () => {
    const [many, none] = [userWith(2), userWith(0)];
    new Places(environmentsMax, () => [many, none]).offer();
    expect(none.startForWaiting.mock.invocationCallOrder[0]).toBeLessThan(
      many.startForWaiting.mock.invocationCallOrder[0] ?? 0,
    );
  });
});
