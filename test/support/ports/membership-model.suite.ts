import fc from "fast-check";
import { expect } from "vitest";
import { finishPoolDeletion } from "../../../shared/domain/maintenance/finish-pool-deletion.ts";
import { aMachine, anOrganization, aPool } from "../builders/entities.ts";
import type { CreateTableStores } from "../stores/table-stores.ts";

const deletedAt = "2026-03-02T00:00:00.000Z";
const places = fc.integer({ min: 0, max: 3 });
const somePlaces = fc.uniqueArray(places, { maxLength: 4 });

const step = fc.oneof(
  fc.record({ does: fc.constant("make_pool" as const), pool: places }),
  fc.record({ does: fc.constant("delete_pool" as const), pool: places, isFinished: fc.boolean() }),
  fc.record({ does: fc.constant("add" as const), pool: places, machines: somePlaces }),
  fc.record({ does: fc.constant("remove" as const), pool: places, machines: somePlaces }),
  fc.record({ does: fc.constant("set" as const), machine: places, pools: somePlaces }),
  fc.record({ does: fc.constant("delete_machine" as const), machine: places }),
);

/**
 * Any sequence of changes leaves every living pool with the members of a model in memory: its number of machines, its
 * rows, and the pools that each living machine names.
 */
export async function checkMembershipModel(create: CreateTableStores, runs: number): Promise<void> {
  const property = fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
    const stores = create();
    const { memberships, pools, machines } = stores;
    const organizationId = anOrganization();
    const machineIds: (string | undefined)[] = [];
    for (let place = 0; place < 4; place += 1) {
      const machine = aMachine({ organizationId });
      await machines.create(machine);
      machineIds.push(machine.id);
    }
    const poolIds: (string | undefined)[] = [undefined, undefined, undefined, undefined];
    const model = new Map<string, Set<string>>();
    const unknown = "00000000-0000-7000-8000-000000000000";
    const ids = (from: readonly (string | undefined)[], at: readonly number[]) =>
      at.map((place) => from[place] ?? unknown.replace(/0$/, String(place)));

    for (const change of steps) {
      if (change.does === "make_pool" && poolIds[change.pool] === undefined) {
        const pool = aPool({ organizationId });
        await pools.create(pool);
        poolIds[change.pool] = pool.id;
        model.set(pool.id, new Set());
      }
      if (change.does === "delete_pool") {
        const [poolId = ""] = ids(poolIds, [change.pool]);
        expect(await pools.markDeleted(organizationId, poolId, deletedAt)).toBe(model.delete(poolId));
        poolIds[change.pool] = undefined;
        const secrets = { remove: async () => {} };
        if (change.isFinished) await finishPoolDeletion({ ...stores, secrets }, organizationId, poolId);
      }
      if (change.does === "add") {
        const [poolId = ""] = ids(poolIds, [change.pool]);
        const wanted = ids(machineIds, change.machines);
        const { kind } = await memberships.addMachines(organizationId, poolId, wanted);
        const members = model.get(poolId);
        const isWhole = wanted.every((id) => machineIds.includes(id));
        expect(kind).toBe(members ? (isWhole ? "added" : "machine_not_found") : "pool_not_found");
        if (kind === "added") for (const id of wanted) members?.add(id);
      }
      if (change.does === "remove") {
        const [poolId = ""] = ids(poolIds, [change.pool]);
        const wanted = ids(machineIds, change.machines);
        const { kind } = await memberships.removeMachines(organizationId, poolId, wanted);
        expect(kind).toBe(model.has(poolId) ? "removed" : "pool_not_found");
        for (const id of wanted) model.get(poolId)?.delete(id);
      }
      if (change.does === "set") {
        const [machineId = ""] = ids(machineIds, [change.machine]);
        const wanted = ids(poolIds, change.pools);
        const { kind } = await memberships.setPools(organizationId, machineId, wanted);
        const isThere = machineIds.includes(machineId);
        const isWhole = wanted.every((id) => model.has(id));
        expect(kind).toBe(isThere ? (isWhole ? "set" : "pool_not_found") : "machine_not_found");
        if (kind === "set") {
          for (const [poolId, members] of model) {
            if (wanted.includes(poolId)) members.add(machineId);
            else members.delete(machineId);
          }
        }
      }
      if (change.does === "delete_machine") {
        const machineId = machineIds[change.machine];
        if (machineId === undefined) continue;
        await machines.markDeleted(organizationId, machineId, deletedAt);
        await memberships.leaveAllPools(organizationId, machineId);
        await machines.remove(organizationId, machineId);
        machineIds[change.machine] = undefined;
        for (const members of model.values()) members.delete(machineId);
      }
    }

    for (const [poolId, members] of model) {
      const sorted = [...members].sort();
      expect((await pools.find(organizationId, poolId))?.machineCount).toBe(members.size);
      expect([...(await memberships.machineIds(organizationId, poolId))].sort()).toEqual(sorted);
    }
    for (const machineId of machineIds) {
      if (machineId === undefined) continue;
      const named = (await machines.find(organizationId, machineId))?.poolIds ?? [];
      const living = named.filter((poolId) => model.has(poolId)).sort();
      const expected = [...model].filter(([, members]) => members.has(machineId)).map(([poolId]) => poolId);
      expect(living).toEqual(expected.sort());
    }
  });
  await fc.assert(property, { numRuns: runs });
}
