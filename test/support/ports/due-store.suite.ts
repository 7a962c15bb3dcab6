import { describe, expect, it } from "vitest";
import { aPool } from "../builders/entities.ts";
import type { CreateTableStores } from "../stores/table-stores.ts";

/** A time before everything else that the table may hold. */
const startMs = Date.UTC(2001, 0, 1);

export function dueStoreSuite(create: CreateTableStores): void {
  describe("deletions that are due", () => {
    it("are those marked until a moment, of all organizations, the longest ago first, no more than asked for", async () => {
      const { due, pools } = create();
      // There are more than shards, each a millisecond after the one before.
      const marked = Array.from({ length: 24 }, () => aPool()).map((pool, at) => ({
        pool,
        atMs: startMs + at,
      }));
      for (const { pool, atMs } of [...marked].reverse()) {
        await pools.create(pool);
        await pools.markDeleted(pool.organizationId, pool.id, new Date(atMs).toISOString());
      }
      const expected = marked.map(({ pool: { organizationId, id } }) => ({ organizationId, id }));
      expect(await due.listDeleted("pool", startMs - 1, 100)).toEqual([]);
      expect(await due.listDeleted("pool", startMs + 19, 100)).toEqual(expected.slice(0, 20));
      expect(await due.listDeleted("pool", startMs + 19, 7)).toEqual(expected.slice(0, 7));
      expect(await due.listDeleted("workflow", startMs + 19, 100)).toEqual([]);
      for (const { organizationId, id } of expected) await pools.remove(organizationId, id);
      expect(await due.listDeleted("pool", startMs + 100, 100)).toEqual([]);
    });
  });
}
