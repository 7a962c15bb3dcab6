import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { matchChanges } from "../../../shared/domain/matching/match-changes.ts";
import { idleItems } from "../../../shared/storage/queue/queue-rows.ts";
import { FakeClock } from "../fakes/fake-clock.ts";
import { instead, type MatchWorld, matchWorld } from "./match-world.ts";
import type { CountedTable, ManyOptions } from "./matching.suite.ts";

export function matchIdleSuite(table: () => CountedTable, { many }: ManyOptions): void {
  const begin = async () => {
    const clock = new FakeClock();
    return await matchWorld(table().at(clock), clock).begin();
  };

  const idleThere = async ({ organizationId, write }: MatchWorld, count: number, poolIds: string[]) => {
    const rows = Array.from({ length: count }, () =>
      idleItems({ organizationId, machineId: randomUUID(), poolIds }),
    ).flat();
    for (let start = 0; start < rows.length; start += 100) {
      const some = rows.slice(start, start + 100);
      await write(...some.map((item) => ({ kind: "put", item }) as const));
    }
  };

  describe("a run for pools", () => {
    it("reads as much of a full pool when many machines are idle elsewhere as when ten are", async () => {
      const counted: (readonly string[])[] = [];
      for (const elsewhere of [10, many]) {
        const world = await begin();
        const pool = await world.putPool();
        await idleThere(world, elsewhere, [randomUUID()]);
        const run = await world.queueRun({ poolIds: [pool.id] });
        table().take();
        await world.match(world.queued(run));
        counted.push(table().take());
      }
      const calls = ["BatchGetItem", "Query"];
      expect(counted).toEqual([calls, calls]);
    });

    it("reads the pool with the fewest machines, 256 a round, and finds the one that is in all", async () => {
      const world = await begin();
      const [large, small] = [
        await world.putPool({ machineCount: 9_000 }),
        await world.putPool({ machineCount: 601 }),
      ];
      await idleThere(world, 600, [small.id]);
      await idleThere(world, 10, [large.id]);
      const last = "ffffffff-ffff-4fff-bfff-ffffffffffff";
      const machine = await world.putMachine({ id: last, poolIds: [large.id, small.id] });
      await world.match(world.changed(machine));
      const run = await world.queueRun({ poolIds: [large.id, small.id] });
      let rounds = 0;
      const read: number[] = [];
      const deps = {
        ...world.deps,
        matches: instead(world.matches, "idlePage", async (idlePage) => {
          const page = (await idlePage()) as Awaited<ReturnType<typeof world.matches.idlePage>>;
          read.push(page.machines.length);
          return page;
        }),
      };
      for (let triggers = [world.queued(run)]; triggers.length > 0; triggers = world.left.splice(0)) {
        rounds += 1;
        expect(await matchChanges(deps, triggers, world.clock.now() + 60_000)).toEqual(new Map());
      }
      expect([rounds, read]).toEqual([3, [256, 256, 89]]);
      expect(await world.run(run.id)).toMatchObject({ status: "running", machineId: last });
    });
  });

  describe("an idle machine", () => {
    it("is found in a pool that it has joined, and no longer in one that it has left", async () => {
      const world = await begin();
      const { organizationId } = world;
      const [one, other] = [await world.putPool(), await world.putPool()];
      const machine = await world.putMachine({ poolIds: [one.id] });
      await world.match(world.changed(machine));
      expect(await world.idle(one.id)).toHaveLength(1);
      await world.putMachine({ ...machine, poolIds: [other.id], revision: 2 });
      const left = { kind: "pool_left", organizationId, machineId: machine.id, poolId: one.id } as const;
      await world.match(world.changed(machine), left);
      expect([await world.idle(one.id), await world.idle(other.id)]).toMatchObject([[], [{}]]);
      const run = await world.queueRun({ poolIds: [other.id] });
      await world.match(world.queued(run));
      expect((await world.run(run.id)).machineId).toBe(machine.id);
      expect([await world.idle(), await world.idle(other.id)]).toEqual([[], []]);
    });
  });
}
