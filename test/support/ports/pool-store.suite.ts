import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { PoolFilter } from "../../../shared/domain/pool/pool-store.ts";
import { anIdempotency, anOrganization, aPool } from "../builders/entities.ts";
import type { CreateTableStores } from "../stores/table-stores.ts";

/** A limit so small that a few pools are too many to search. */
const searchRowsMax = 6;

const updatedAt = "2026-03-01T00:00:00.000Z";
const deletedAt = "2026-03-02T00:00:00.000Z";

export function poolStoreSuite(create: CreateTableStores): void {
  const setUp = async () => {
    const stores = create({ searchRowsMax });
    const pool = aPool({
      name: "front desks",
      description: "all of them",
      parameters: { deep: { "": [null, 1.5, "ä"] } },
      sensitiveAliases: ["password"],
      secretName: "das/test/a-secret",
    });
    return { ...stores, pool, organization: pool.organizationId };
  };

  describe("a pool store", () => {
    it("finds a pool as it was created", async () => {
      const { pools, pool, organization } = await setUp();
      expect(await pools.create(pool)).toEqual({ kind: "created" });
      expect(await pools.find(organization, pool.id)).toEqual(pool);
    });

    it("finds many in the order asked for, and leaves out what is not there, deleted or another's", async () => {
      const { pools, pool, organization } = await setUp();
      const second = aPool({ organizationId: organization });
      const deleted = aPool({ organizationId: organization });
      const elsewhere = aPool();
      for (const each of [pool, second, deleted, elsewhere]) await pools.create(each);
      await pools.markDeleted(organization, deleted.id, deletedAt);
      const ids = [second.id, elsewhere.id, deleted.id, randomUUID(), pool.id];
      expect(await pools.findMany(organization, ids)).toEqual([second, pool]);
      expect(await pools.findMany(organization, [])).toEqual([]);
    });

    it("makes a name once in an organization, and names who has it", async () => {
      const { pools, pool, organization } = await setUp();
      await pools.create(pool);
      const twin = aPool({ organizationId: organization, name: pool.name });
      expect(await pools.create(twin)).toEqual({ kind: "name_taken", poolId: pool.id });
      expect(await pools.find(organization, twin.id)).toBeUndefined();
      expect((await pools.list(organization, {}, { skip: 0, limit: 10 })).total).toBe(1);
      expect(await pools.create(aPool({ name: pool.name }))).toEqual({ kind: "created" });
    });

    it("makes one of ten with the same name at once", async () => {
      const { pools, pool, organization } = await setUp();
      const twins = Array.from({ length: 10 }, () =>
        aPool({ organizationId: organization, name: pool.name }),
      );
      const outcomes = await Promise.all(twins.map((twin) => pools.create(twin)));
      expect(outcomes.filter(({ kind }) => kind === "created")).toHaveLength(1);
      expect((await pools.list(organization, {}, { skip: 0, limit: 10 })).total).toBe(1);
    });

    it("changes the fields given, leaves the others, and counts the revision up", async () => {
      const { pools, pool, organization } = await setUp();
      await pools.create(pool);
      const change = { description: "", parameters: {}, secretName: null, sensitiveAliases: [], updatedAt };
      const changed = { ...pool, ...change, revision: 2 };
      expect(await pools.update(organization, pool.id, change)).toEqual({ kind: "updated", pool: changed });
      expect(await pools.find(organization, pool.id)).toEqual(changed);
    });

    it("changes nothing of a pool that is no longer at the revision given", async () => {
      const { pools, pool, organization } = await setUp();
      await pools.create(pool);
      await pools.update(organization, pool.id, { description: "a", updatedAt });
      for (const change of [
        { description: "b", updatedAt },
        { name: "b", updatedAt },
      ]) {
        expect(await pools.update(organization, pool.id, change, { revision: 1 })).toEqual({
          kind: "changed",
        });
      }
      const timely = await pools.update(organization, pool.id, { name: "b", updatedAt }, { revision: 2 });
      expect(timely).toMatchObject({ kind: "updated", pool: { name: "b", revision: 3 } });
    });

    it("moves the name with a rename: the old one is free, the new one taken", async () => {
      const { pools, pool, organization } = await setUp();
      await pools.create(pool);
      const other = aPool({ organizationId: organization });
      await pools.create(other);
      const rename = (id: string, name: string) => pools.update(organization, id, { name, updatedAt });
      expect(await rename(other.id, pool.name)).toEqual({ kind: "name_taken", poolId: pool.id });
      expect(await rename(pool.id, "renamed")).toMatchObject({ kind: "updated", pool: { name: "renamed" } });
      expect(await rename(pool.id, "renamed")).toMatchObject({ kind: "updated" });
      expect(await rename(other.id, "renamed")).toEqual({ kind: "name_taken", poolId: pool.id });
      expect(await rename(other.id, pool.name)).toMatchObject({ kind: "updated", pool: { name: pool.name } });
    });

    it("frees the name of a deleted pool for a rename, which keeps it when the deleted one is removed", async () => {
      const { pools, pool, organization } = await setUp();
      await pools.create(pool);
      const second = aPool({ organizationId: organization });
      await pools.create(second);
      await pools.markDeleted(organization, pool.id, deletedAt);
      const rename = { name: pool.name, updatedAt };
      expect(await pools.update(organization, second.id, rename)).toMatchObject({ kind: "updated" });
      await pools.remove(organization, pool.id);
      const twin = aPool({ organizationId: organization, name: pool.name });
      expect(await pools.create(twin)).toEqual({ kind: "name_taken", poolId: second.id });
      await pools.markDeleted(organization, second.id, deletedAt);
      expect(await pools.create(twin)).toEqual({ kind: "created" });
    });

    it("gives one name to one of two pools that take it at once", async () => {
      const { pools, organization } = await setUp();
      const both = [aPool({ organizationId: organization }), aPool({ organizationId: organization })];
      for (const each of both) await pools.create(each);
      const outcomes = await Promise.all(
        both.map(({ id }) => pools.update(organization, id, { name: "wanted", updatedAt })),
      );
      expect(outcomes.map(({ kind }) => kind).sort()).toEqual(["name_taken", "updated"]);
    });
  });

  describe("a list of pools", () => {
    const start = Date.UTC(2026, 0, 15, 12);
    const at = (second: number) => new Date(start + second * 1_000).toISOString();

    const withPools = async (count: number) => {
      const { pools } = create({ searchRowsMax });
      const organizationId = anOrganization();
      for (let index = 0; index < count; index += 1) {
        const fields = {
          createdAt: at(index),
          name: `Pool ${index}`,
          description: index === 1 ? "Äpfel" : "",
        };
        await pools.create(aPool({ organizationId, ...fields }));
      }
      const names = async (filter: PoolFilter, skip = 0, limit = 100) => {
        const { items, total } = await pools.list(organizationId, filter, { skip, limit });
        return [items.map(({ name }) => name), total];
      };
      return { pools, organizationId, names };
    };

    it("is newest first, in pages, with the exact total", async () => {
      const { names } = await withPools(4);
      expect(await names({})).toEqual([["Pool 3", "Pool 2", "Pool 1", "Pool 0"], 4]);
      expect(await names({}, 1, 2)).toEqual([["Pool 2", "Pool 1"], 4]);
      expect(await names({}, 4, 2)).toEqual([[], 4]);
    });

    it("holds what was created between two moments, both included", async () => {
      const { names } = await withPools(4);
      expect(await names({ createdAtFrom: at(1), createdAtTo: at(2) })).toEqual([["Pool 2", "Pool 1"], 2]);
      expect(await names({ createdAtFrom: at(3) })).toEqual([["Pool 3"], 1]);
      expect(await names({ createdAtTo: at(0) })).toEqual([["Pool 0"], 1]);
    });

    it("searches id, name and description whatever the case", async () => {
      const { names, pools, organizationId } = await withPools(3);
      expect(await names({ search: "POOL 2" })).toEqual([["Pool 2"], 1]);
      expect(await names({ search: "äPF" })).toEqual([["Pool 1"], 1]);
      const [newest] = (await pools.list(organizationId, {}, { skip: 0, limit: 1 })).items;
      expect(await names({ search: newest?.id.slice(5).toUpperCase() ?? "" })).toEqual([["Pool 2"], 1]);
      expect(await names({ search: "pool", createdAtTo: at(1) }, 1, 5)).toEqual([["Pool 0"], 2]);
    });

    it("refuses a search that reads too much, until its range is narrowed", async () => {
      const { names } = await withPools(searchRowsMax + 1);
      await expect(names({ search: "pool" })).rejects.toMatchObject({ code: "search_too_broad" });
      const narrowed = await names({ search: "pool", createdAtFrom: at(1) });
      expect(narrowed[1]).toBe(searchRowsMax);
    });
  });

  describe("a pool store's writes under an idempotency record", () => {
    it("put the changed pool on record, and do every one of ten updates at once", async () => {
      const { pools, idempotencyRecords, pool, organization } = await setUp();
      await pools.create(pool);
      const requests = Array.from({ length: 10 }, (_, index) => ({
        idempotency: anIdempotency(organization),
        change: index % 2 === 0 ? { name: `n${index}`, updatedAt } : { description: `d${index}`, updatedAt },
      }));
      const outcomes = await Promise.all(
        requests.map(({ idempotency, change }) =>
          pools.update(organization, pool.id, change, { idempotency }),
        ),
      );
      for (const [index, outcome] of outcomes.entries()) {
        const idempotency = requests[index]?.idempotency ?? anIdempotency(organization);
        expect(outcome.kind).toBe("updated");
        const result = outcome.kind === "updated" ? outcome.pool : undefined;
        expect(await idempotencyRecords.find(idempotency)).toMatchObject({ kind: "done", result });
      }
      expect(await pools.find(organization, pool.id)).toMatchObject({ revision: 11 });
    });

    it("record nothing for an update that is refused", async () => {
      const { pools, idempotencyRecords, pool, organization } = await setUp();
      const idempotency = anIdempotency(organization);
      const missing = await pools.update(organization, pool.id, { updatedAt }, { idempotency });
      expect(missing).toEqual({ kind: "not_found" });
      await pools.create(pool);
      const other = aPool({ organizationId: organization });
      await pools.create(other);
      const taken = { name: other.name, updatedAt };
      expect(await pools.update(organization, pool.id, taken, { idempotency })).toMatchObject({
        kind: "name_taken",
      });
      const stale = await pools.update(organization, pool.id, { updatedAt }, { idempotency, revision: 7 });
      expect(stale).toEqual({ kind: "changed" });
      expect(await idempotencyRecords.find(idempotency)).toBeUndefined();
    });
  });
}
