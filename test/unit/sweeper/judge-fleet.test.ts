import { describe, expect, it } from "vitest";
import { judgeFleet } from "../../../shared/domain/maintenance/judge-fleet.ts";
import { tunnelWorld } from "../../support/tunnel-world/tunnel-world.ts";

type Machines = Readonly<Record<string, number>>;

function fleetWorld() {
  const { clock, sweepCursors } = tunnelWorld();
  let reads = 0;
  const judge = async (machines: Machines) => {
    const countByOrganization = async () => {
      reads += 1;
      return new Map(Object.entries(machines));
    };
    return await judgeFleet({ clock, sweepCursors, fleet: { countByOrganization } });
  };
  const later = async (minutes: number, machines: Machines) => {
    clock.advance(minutes * 60_000);
    return await judge(machines);
  };
  return { judge, later, sweepCursors, reads: () => reads };
}

/** Judges the second fleet by the first. */
async function fall(before: Machines, now: Machines, minutes = 5) {
  const { judge, later } = fleetWorld();
  await judge(before);
  return await later(minutes, now);
}

const fleet = { one: 40, two: 30, three: 20, four: 10 };

describe("a fall of the fleet", () => {
  it("is that of all machines when more than half of the organizations lost a fifth of theirs", async () => {
    expect(await fall(fleet, { one: 40, two: 15, three: 10, four: 5 })).toEqual({
      machines_lost_percent: 30,
    });
  });

  it.each<[string, Machines]>([
    ["the largest customer switches its office off", { ...fleet, one: 0 }],
    ["two of four do at the end of the same day", { ...fleet, one: 0, two: 0 }],
    ["each organization lost a fifth and no more", { one: 32, two: 24, three: 16, four: 8 }],
  ])("is none when %s", async (_, now) => {
    expect(await fall(fleet, now)).toEqual({ machines_lost_percent: 0 });
  });

  it("is not hidden by machines that another organization connects", async () => {
    const now = { one: 100, two: 15, three: 10, four: 5 };
    expect(await fall(fleet, now)).toEqual({ machines_lost_percent: 30 });
  });

  it("is none of a deployment that has one organization, or few machines", async () => {
    expect(await fall({ one: 100 }, {})).toEqual({ machines_lost_percent: 0 });
    expect(await fall({ one: 9, two: 10 }, {})).toEqual({ machines_lost_percent: 0 });
  });

  it("is none when more organizations than a sample has grow past those in it", async () => {
    const named = (name: string, each: number) =>
      Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`${name}-${at}`, each]));
    const now = { ...named("growing", 3), ...named("steady", 2) };
    expect(await fall(named("steady", 2), now)).toEqual({ machines_lost_percent: 0 });
  });

  it("within an hour is judged by the sample of an hour ago, however slow", async () => {
    const { judge, later } = fleetWorld();
    await judge({ one: 100, two: 100 });
    let machines = 100;
    let falls = {};
    for (let minutes = 5; minutes <= 60; minutes += 5) {
      machines -= 5;
      falls = await later(5, { one: machines, two: machines });
    }
    expect(falls).toEqual({ machines_lost_percent: 0, machines_lost_hour_percent: 60 });
  });
});

describe("a sample of the fleet", () => {
  it("is taken every five minutes, though a timer is early by seconds", async () => {
    const { judge, later, reads } = fleetWorld();
    await judge(fleet);
    expect(await later(1, {})).toEqual({});
    expect(await later(3, {})).toEqual({});
    expect(reads()).toBe(1);
    expect(await later(0.9, {})).toEqual({ machines_lost_percent: 100 });
  });

  it("of a time before the sweeper was off is not judged by", async () => {
    expect(await fall(fleet, {}, 20)).toEqual({});
  });

  it("is judged by one of two sweeps at once", async () => {
    const { judge, later, sweepCursors } = fleetWorld();
    await judge(fleet);
    const find = sweepCursors.find.bind(sweepCursors);
    sweepCursors.find = async (listing) => {
      const found = await find(listing);
      if (found) await sweepCursors.replace({ ...found, revision: found.revision + 1 }, found);
      return found;
    };
    expect(await later(5, {})).toEqual({});
  });

  it("is not written by a deployment without machines, and names no organization", async () => {
    const { judge, sweepCursors } = fleetWorld();
    await judge({});
    expect(await sweepCursors.find("machines_lost_percent")).toBeUndefined();
    await judge({ "acme-corp": 3 });
    expect((await sweepCursors.find("machines_lost_percent"))?.position).toMatch(/^\{"[0-9a-z-]{1,7}":3\}$/);
  });
});
