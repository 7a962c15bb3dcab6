import { describe, expect, it } from "vitest";
import { overtaken, overtakenBy, untilWritten } from "../../shared/domain/until-written.ts";
import { FakeClock } from "../support/fakes/fake-clock.ts";

function setUp(overtakings: number) {
  const clock = new FakeClock(0);
  const log: string[] = [];
  const times: number[] = [];
  return {
    log,
    pacing: { clock, random: () => 0.999_999 },
    pauses: () => times.slice(1).map((time, index) => time - (times[index] ?? 0)),
    write: {
      what: "the number",
      read: async () => {
        log.push("read");
        return times.length;
      },
      decide: async (state: number) => {
        log.push(`decide on ${state}`);
        times.push(clock.now());
        return times.length > overtakings ? "written" : overtaken;
      },
    },
  };
}

describe("a conditional write", () => {
  it("is one read and one write where nobody comes between", async () => {
    const { pacing, write, log } = setUp(0);
    expect(await untilWritten(pacing, write)).toBe("written");
    expect(log).toEqual(["read", "decide on 0"]);
  });

  it("is decided again on what is there by then", async () => {
    const { pacing, write, log } = setUp(1);
    expect(await untilWritten(pacing, write)).toBe("written");
    expect(log).toEqual(["read", "decide on 0", "read", "decide on 1"]);
  });

  it("begins with what was read already", async () => {
    const { pacing, write, log } = setUp(1);
    await untilWritten(pacing, { ...write, first: 7 });
    expect(log).toEqual(["decide on 7", "read", "decide on 1"]);
  });

  it("reads nothing again where the refused write has shown it, be it nothing", async () => {
    const states: (string | undefined)[] = [];
    const outcome = await untilWritten<string | undefined, string>(setUp(0).pacing, {
      what: "the text",
      read: async () => "read",
      decide: async (state) => {
        states.push(state);
        return states.length === 1 ? overtakenBy<string | undefined>(undefined) : "written";
      },
    });
    expect([outcome, states]).toEqual(["written", ["read", undefined]]);
  });

  it("is repeated at once, and then after pauses that double up to a quarter of a second", async () => {
    const { pacing, write, pauses } = setUp(7);
    await untilWritten(pacing, write);
    expect(pauses()).toEqual([0, 24, 49, 99, 199, 249, 249]);
  });

  it.each([
    ["20 attempts", {}, 20],
    ["those of the call", { attemptsMax: 3 }, 3],
  ])("is given up after %s: 503 with Retry-After", async (_, bound, count) => {
    const { pacing, write, log } = setUp(Number.POSITIVE_INFINITY);
    await expect(untilWritten(pacing, { ...write, ...bound })).rejects.toMatchObject({
      code: "service_unavailable",
      message: "the number is being changed too often; try again",
      retryAfterSeconds: 1,
    });
    expect(log.filter((line) => line === "read")).toHaveLength(count);
  });
});
