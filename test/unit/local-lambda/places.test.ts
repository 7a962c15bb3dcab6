import { describe, expect, it, vi } from "vitest";
import {
  environmentsAtOnce,
  environmentsMax,
  patienceMs,
  startsAtOnce,
} from "../../../infra/local/lambda/limits.ts";
import { Places } from "../../../infra/local/lambda/places.ts";

function userWith(environments: number, idleForMs?: number) {
  return {
    state: { environments },
    longestIdleSinceMs: idleForMs === undefined ? undefined : performance.now() - idleForMs,
    endLongestIdle: vi.fn(),
    startForWaiting: vi.fn(),
  };
}

const long = patienceMs * 2;

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

  it("lets a request of a busy machine wait for a busy environment first", () => {
    const [busy, fresh] = [userWith(environmentsAtOnce), userWith(0)];
    const places = new Places(environmentsMax, () => [busy, fresh]);
    expect(places.isOneFree(busy, patienceMs - 1)).toBe(false);
    expect(places.isOneFree(busy, patienceMs)).toBe(true);
    expect(places.isOneFree(fresh, 0)).toBe(true);
  });

  it("starts at once while there are few", () => {
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
