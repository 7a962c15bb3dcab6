import { beforeAll, describe, expect, it } from "vitest";
import { demoRecording } from "../../support/execution/demo-recording.ts";
import { executionWorld } from "../../support/execution/execution-world.ts";
import { type CallPoint, KillSwitch } from "../../support/execution/kill-switch.ts";

const recording = demoRecording();
/** The calls of an execution that is not killed. */
let points: readonly CallPoint[];

beforeAll(async () => {
  const kills = new KillSwitch();
  await (await executionWorld({ recording, kills })).execute();
  points = kills.points;
}, 60_000);

/** One point for each kind of call, spread over the run. */
function oneOfEachKind(): readonly CallPoint[] {
  const kinds = Map.groupBy(points, ({ name, when }) => `${when} ${name.replace(/ \d+$/, "")}`);
  return [...kinds.values()].map((same) => same[Math.floor(same.length / 2)] as CallPoint);
}

const ways = {
  "at once, with the same driver": { resumeAfterMs: 0, isRestarted: false },
  "after 11 minutes, with the driver started anew": { resumeAfterMs: 660_000, isRestarted: true },
};

describe("an execution that is killed", () => {
  // A driver's memory matters only to calls to it; the benchmark covers all points.
  it.each(Object.entries(ways))(
    "does every action once and ends well when it goes on %s, for each kind of call",
    async (_, { resumeAfterMs, isRestarted }) => {
      for (const { number, when, name } of oneOfEachKind()) {
        if (!isRestarted && !name.startsWith("desktop")) continue;
        const kills = new KillSwitch((point) => point.number === number && point.when === when);
        const world = await executionWorld({ recording, kills });
        const { driver } = world;
        const onKill = () => (isRestarted ? driver.restart() : undefined);
        const executed = await world.execute({ resumeAfterMs, onKill });
        const actions = driver.done.map(({ body }) => body);
        const run = await world.find();
        const where = `${when} ${name} (${number})`;
        expect({
          where,
          executed,
          error: run?.error,
          orders: driver.screen.desk.orders.length,
          actions: actions.length,
        }).toEqual({
          where,
          executed: { kind: "ended", status: "success" },
          error: [],
          orders: 1,
          actions: 11,
        });
        expect(new Set(driver.done.map(({ actionId }) => actionId)).size).toBe(actions.length);
      }
    },
    300_000,
  );
});
