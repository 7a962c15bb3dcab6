import { beforeAll, describe, expect, it } from "vitest";
import { demoRecording } from "../../support/execution/demo-recording.ts";
import { executionWorld } from "../../support/execution/execution-world.ts";
import { type CallPoint, KillSwitch } from "../../support/execution/kill-switch.ts";

const recording = demoRecording();
let points: readonly CallPoint[];

beforeAll(async () => {
  const kills = new KillSwitch();
  await (await executionWorld({ recording, kills })).execute();
  points = kills.points;
});

function oneOfEachKind(): readonly CallPoint[] {
  const kinds = Map.groupBy(points, ({ name, when }) => `${when} ${name.replace(/ \d+$/, "")}`);
  return [...kinds.values()].map((same) => same[Math.floor(same.length / 2)] as CallPoint);
}

describe("an execution that is killed", () => {
  // `every-kill.test.ts` goes on at once, with the same driver; the benchmark covers all points.
  it("does every action once and ends well 11 minutes later with the driver started anew, for each kind of call", async () => {
    for (const { number, when, name } of oneOfEachKind()) {
      const world = await executionWorld({ recording, kills: KillSwitch.at({ number, when }) });
      const { driver } = world;
      const executed = await world.execute({ resumeAfterMs: 660_000, onKill: () => driver.restart() });
      const where = `${when} ${name} (${number})`;
      expect({
        where,
        executed,
        error: (await world.find())?.error,
        orders: driver.screen.desk.orders.length,
        actions: driver.done.length,
      }).toEqual({
        where,
        executed: { kind: "ended", status: "success" },
        error: [],
        orders: 1,
        actions: 11,
      });
      expect(new Set(driver.done.map(({ actionId }) => actionId)).size).toBe(11);
    }
  }, 300_000);
});
