import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { AlreadyOnRecord } from "../../../shared/domain/idempotency/idempotency.ts";
import { poolsOfMachineMax } from "../../../shared/vocabulary/machines.ts";
import { aMachine, anIdempotency, anOrganization, aPool } from "../builders/entities.ts";
import type { CreateTableStores } from "../stores/table-stores.ts";

const deletedAt = "2026-03-02T00:00:00.000Z";

export function membershipStoreSuite(create: CreateTableStores): void {
  const setUp = async () => {
    const stores = create();
    const organizationId = anOrganization();
    const newMachine = async () => {
      const machine = aMachine({ organizationId });
      await stores.machines.create(machine);
      return machine.id;
    };
    const newPool = async () => {
      const pool = aPool({ organizationId });
      await stores.pools.create(pool);
      return pool.id;
    };
    return {
      ...stores,
      organizationId,
      newMachine,
      newPool,
      newMachines: (count: number) => Promise.all(Array.from({ length: count }, newMachine)),
      newPools: (count: number) => Promise.all(Array.from({ length: count }, newPool)),
      /** Three views that must agree: the pool's number, its rows, and the machines that name it. */
      members: async (poolId: string, known: readonly string[]) => {
        const named = await Promise.all(
          known.map(async (id) => (await stores.machines.find(organizationId, id))?.poolIds.includes(poolId)),
        );
        return {
          count: (await stores.pools.find(organizationId, poolId))?.machineCount,
          rows: [...(await stores.memberships.machineIds(organizationId, poolId))].sort(),
          named: known.filter((_, index) => named[index]).sort(),
        };
      },
      poolIds: async (machineId: string) => (await stores.machines.find(organizationId, machineId))?.poolIds,
      add: (poolId: string, machineIds: readonly string[]) =>
        stores.memberships.addMachines(organizationId, poolId, machineIds),
    };
  };

  describe("a membership store", () => {
    it("makes 49 machines members at once, known from both sides", async () => {
      const { add, members, newMachines, newPool } = await setUp();
      const [poolId, ids] = [await newPool(), await newMachines(49)];
      expect(await add(poolId, ids)).toMatchObject({ kind: "added", pool: { id: poolId, machineCount: 49 } });
      const sorted = [...ids].sort();
      expect(await members(poolId, ids)).toEqual({ count: 49, rows: sorted, named: sorted });
    });

    it("counts a machine once, however often it is added", async () => {
      const { add, members, newMachines, newPool } = await setUp();
      const [poolId, ids] = [await newPool(), await newMachines(3)];
      await add(poolId, ids.slice(0, 2));
      expect(await add(poolId, ids)).toMatchObject({ kind: "added", pool: { machineCount: 3 } });
      expect(await add(poolId, ids)).toMatchObject({ kind: "added", pool: { machineCount: 3 } });
      expect((await members(poolId, ids)).count).toBe(3);
    });

    it("adds none of them when one is unknown, deleted, or another organization's, and names it", async () => {
      const { add, machines, members, newMachine, newPool, organizationId } = await setUp();
      const [poolId, known, deleted] = [await newPool(), await newMachine(), await newMachine()];
      await machines.markDeleted(organizationId, deleted, deletedAt);
      const foreign = aMachine();
      await machines.create(foreign);
      for (const machineId of [randomUUID(), deleted, foreign.id]) {
        expect(await add(poolId, [known, machineId])).toEqual({ kind: "machine_not_found", machineId });
      }
      expect(await members(poolId, [known])).toEqual({ count: 0, rows: [], named: [] });
    });

    it("adds nobody to, and takes nobody out of, a pool that is unknown, deleted, or another organization's", async () => {
      const { add, memberships, newMachine, newPool, organizationId, poolIds, pools } = await setUp();
      const [deleted, machineId] = [await newPool(), await newMachine()];
      await pools.markDeleted(organizationId, deleted, deletedAt);
      const foreign = aPool();
      await pools.create(foreign);
      for (const poolId of [randomUUID(), deleted, foreign.id]) {
        expect(await add(poolId, [machineId])).toEqual({ kind: "pool_not_found" });
        expect(await memberships.removeMachines(organizationId, poolId, [machineId])).toEqual({
          kind: "pool_not_found",
        });
        expect(await memberships.setPools(organizationId, machineId, [poolId])).toEqual({
          kind: "pool_not_found",
          poolId,
        });
      }
      expect(await poolIds(machineId)).toEqual([]);
    });

    it("lets a machine into 20 pools, not into one more, and keeps the others out with it", async () => {
      const { add, members, memberships, newMachines, newPool, newPools, organizationId } = await setUp();
      const [full = "", other = ""] = await newMachines(2);
      const pools = await newPools(poolsOfMachineMax);
      const last = await newPool();
      await memberships.setPools(organizationId, full, pools.slice(1));
      expect(await add(pools[0] ?? "", [full])).toMatchObject({ kind: "added" });
      expect(await add(last, [other, full])).toEqual({ kind: "too_many_pools", machineId: full });
      expect(await members(last, [full, other])).toEqual({ count: 0, rows: [], named: [] });
      expect(await add(pools[0] ?? "", [full])).toMatchObject({ kind: "added" });
    });

    it("does not count deleted pools among a machine's 20", async () => {
      const { add, memberships, newMachine, newPool, newPools, organizationId, poolIds, pools } =
        await setUp();
      const machineId = await newMachine();
      const [gone = "", ...rest] = await newPools(poolsOfMachineMax);
      await memberships.setPools(organizationId, machineId, [gone, ...rest]);
      await pools.markDeleted(organizationId, gone, deletedAt);
      const next = await newPool();
      expect(await add(next, [machineId])).toMatchObject({ kind: "added" });
      expect(await poolIds(machineId)).toEqual([...rest, next]);
      await memberships.dissolve(organizationId, gone);
      expect(await memberships.machineIds(organizationId, gone)).toEqual([]);
      expect(await poolIds(machineId)).toEqual([...rest, next]);
    });

    it("takes members out, and takes no notice of who is none", async () => {
      const { add, members, memberships, newMachines, newPool, organizationId } = await setUp();
      const [poolId, ids] = [await newPool(), await newMachines(3)];
      const [first = "", second = "", never = ""] = ids;
      await add(poolId, [first, second]);
      const remove = (machineIds: readonly string[]) =>
        memberships.removeMachines(organizationId, poolId, machineIds);
      expect(await remove([first, never, randomUUID()])).toEqual({ kind: "removed" });
      expect(await remove([first])).toEqual({ kind: "removed" });
      expect(await members(poolId, ids)).toEqual({ count: 1, rows: [second], named: [second] });
    });

    it("replaces 20 pools of a machine by 20 others, in the order given", async () => {
      const { members, memberships, newMachine, newPools, organizationId, poolIds } = await setUp();
      const machineId = await newMachine();
      const [before, after] = [await newPools(20), await newPools(20)];
      await memberships.setPools(organizationId, machineId, before);
      expect(await memberships.setPools(organizationId, machineId, after)).toEqual({ kind: "set" });
      expect(await poolIds(machineId)).toEqual(after);
      for (const poolId of before) {
        expect(await members(poolId, [machineId])).toEqual({ count: 0, rows: [], named: [] });
      }
      const here = { count: 1, rows: [machineId], named: [machineId] };
      for (const poolId of after) expect(await members(poolId, [machineId])).toEqual(here);
      await memberships.setPools(organizationId, machineId, []);
      expect(await poolIds(machineId)).toEqual([]);
    });

    it("leaves the pools that stay alone when a machine's pools are replaced", async () => {
      const { members, memberships, newMachine, newPools, organizationId, poolIds } = await setUp();
      const machineId = await newMachine();
      const [one = "", two = "", three = ""] = await newPools(3);
      await memberships.setPools(organizationId, machineId, [one, two]);
      await memberships.setPools(organizationId, machineId, [three, two]);
      expect(await poolIds(machineId)).toEqual([three, two]);
      expect((await members(one, [machineId])).count).toBe(0);
      expect((await members(two, [machineId])).count).toBe(1);
      expect((await members(three, [machineId])).count).toBe(1);
    });

    it("sets nothing when one pool is unknown, and nothing of a machine that is not there", async () => {
      const { memberships, newMachine, newPool, organizationId, poolIds } = await setUp();
      const [machineId, poolId] = [await newMachine(), await newPool()];
      const unknown = randomUUID();
      const set = (machine: string, ids: readonly string[]) =>
        memberships.setPools(organizationId, machine, ids);
      expect(await set(machineId, [poolId, unknown])).toEqual({ kind: "pool_not_found", poolId: unknown });
      expect(await poolIds(machineId)).toEqual([]);
      expect(await set(randomUUID(), [poolId])).toEqual({ kind: "machine_not_found" });
      expect(await memberships.setPools(anOrganization(), machineId, [])).toEqual({
        kind: "machine_not_found",
      });
    });

    it("takes a deleted machine out of its pools, as often as it is told", async () => {
      const { add, machines, members, memberships, newMachines, newPools, organizationId, pools } =
        await setUp();
      const [gone = "", stays = ""] = await newMachines(2);
      const [living = "", deleted = ""] = await newPools(2);
      for (const poolId of [living, deleted]) await add(poolId, [gone, stays]);
      await machines.markDeleted(organizationId, gone, deletedAt);
      await pools.markDeleted(organizationId, deleted, deletedAt);
      await memberships.leaveAllPools(organizationId, gone);
      await memberships.leaveAllPools(organizationId, gone);
      await memberships.leaveAllPools(organizationId, randomUUID());
      expect(await members(living, [gone, stays])).toEqual({ count: 1, rows: [stays], named: [stays] });
      expect(await memberships.machineIds(organizationId, deleted)).toEqual([stays]);
      expect((await machines.findDeleted(organizationId, gone))?.poolIds).toEqual([]);
    });

    it("dissolves a deleted pool of more members than go at once, as often as it is told", async () => {
      const { add, machines, memberships, newMachines, newPools, organizationId, poolIds, pools } =
        await setUp();
      const ids = await newMachines(90);
      const [deleted = "", other = ""] = await newPools(2);
      for (let start = 0; start < ids.length; start += 45) await add(deleted, ids.slice(start, start + 45));
      const [first = "", leaving = ""] = ids;
      await add(other, [first]);
      await machines.markDeleted(organizationId, leaving, deletedAt);
      await pools.markDeleted(organizationId, deleted, deletedAt);
      await memberships.dissolve(organizationId, deleted);
      await memberships.dissolve(organizationId, deleted);
      expect(await memberships.machineIds(organizationId, deleted)).toEqual([]);
      expect(await poolIds(first)).toEqual([other]);
      const left = await Promise.all(ids.slice(2).map(poolIds));
      expect(left.flat()).toEqual([]);
      expect((await machines.findDeleted(organizationId, leaving))?.poolIds).toEqual([]);
    });

    it("keeps the number of members right while 50 requests add, remove and replace at once", async () => {
      const { add, members, memberships, newMachines, newPools, organizationId } = await setUp();
      const ids = await newMachines(10);
      const [one = "", two = ""] = await newPools(2);
      await Promise.all(
        Array.from({ length: 50 }, async (_, index) => {
          const machineId = ids[index % ids.length] ?? "";
          if (index % 5 === 3) return memberships.removeMachines(organizationId, one, [machineId]);
          if (index % 5 === 4) return memberships.setPools(organizationId, machineId, [two]);
          return add(index % 2 === 0 ? one : two, [machineId]);
        }),
      );
      for (const poolId of [one, two]) {
        const { count, rows, named } = await members(poolId, ids);
        expect(count).toBe(rows.length);
        expect(named).toEqual(rows);
      }
    });
  });

  describe("a membership store's writes under an idempotency record", () => {
    it("put the answer on record exactly when it is done, and answer a repeat with it", async () => {
      const { idempotencyRecords, memberships, newMachine, newPool, organizationId } = await setUp();
      const [poolId, machineId] = [await newPool(), await newMachine()];
      const [adding, setting, removing] = [1, 2, 3].map(() => anIdempotency(organizationId));
      if (!adding || !setting || !removing) throw new Error("three were made");
      const work = (idempotency: typeof adding) =>
        idempotency.id === adding.id
          ? memberships.addMachines(organizationId, poolId, [machineId], idempotency)
          : idempotency.id === setting.id
            ? memberships.setPools(organizationId, machineId, [poolId], idempotency)
            : memberships.removeMachines(organizationId, poolId, [machineId], idempotency);
      for (const idempotency of [adding, setting, removing]) await work(idempotency);
      expect(await idempotencyRecords.find(adding)).toMatchObject({
        kind: "done",
        result: { id: poolId, machineCount: 1 },
      });
      expect(await idempotencyRecords.find(setting)).toMatchObject({ kind: "done", result: [poolId] });
      expect(await idempotencyRecords.find(removing)).toMatchObject({ kind: "done", result: null });
      for (const idempotency of [adding, setting, removing]) {
        await expect(work(anIdempotency(organizationId, { id: idempotency.id }))).rejects.toThrow(
          AlreadyOnRecord,
        );
      }
    });

    it("record nothing that is refused, and answer a repeat with the record after the pool has gone", async () => {
      const { idempotencyRecords, memberships, newMachine, newPool, organizationId, pools } = await setUp();
      const [poolId, machineId] = [await newPool(), await newMachine()];
      const refused = anIdempotency(organizationId);
      const unknown = await memberships.addMachines(organizationId, poolId, [randomUUID()], refused);
      expect(unknown.kind).toBe("machine_not_found");
      expect(await idempotencyRecords.find(refused)).toBeUndefined();
      const idempotency = anIdempotency(organizationId);
      await memberships.addMachines(organizationId, poolId, [machineId], idempotency);
      await pools.markDeleted(organizationId, poolId, deletedAt);
      const repeat = anIdempotency(organizationId, { id: idempotency.id });
      await expect(memberships.addMachines(organizationId, poolId, [machineId], repeat)).rejects.toThrow(
        AlreadyOnRecord,
      );
    });
  });
}
