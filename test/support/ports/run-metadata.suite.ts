import { describe, expect, it } from "vitest";
import { type Caller, serviceCaller } from "../../../shared/domain/access/caller.ts";
import { isoTimestamp } from "../../../shared/domain/clock.ts";
import { getIndexedKeys, setIndexedKeys } from "../../../shared/domain/metadata/indexed-keys.ts";
import type { Run } from "../../../shared/domain/run/run.ts";
import type { RunFilter, RunListOptions } from "../../../shared/domain/run/run-store.ts";
import { repairRunMetadata } from "../../../shared/storage/maintenance/repair-run-metadata.ts";
import { runMetadataKey } from "../../../shared/storage/table/keys.ts";
import { scopes } from "../../../shared/vocabulary/access.ts";
import { anIdempotency, anOrganization } from "../builders/entities.ts";
import type { CreateTableStores } from "../stores/table-stores.ts";

const searchRowsMax = 5;

export function runMetadataSuite(create: CreateTableStores): void {
  describe("the index of runs by metadata", () => {
    const setUp = async () => {
      const { runs, put: putting, indexedKeys, clock, table } = create({ searchRowsMax });
      const organizationId = anOrganization();
      const caller: Caller = { ...serviceCaller(organizationId, ""), scopes };
      const deps = { indexedKeys, clock };
      let made = 0;
      const put = async (fields: Partial<Run> = {}) => {
        made += 1;
        return await putting.run({ organizationId, createdAt: isoTimestamp(clock.now() + made), ...fields });
      };
      const list = async (filter: RunFilter, page = { skip: 0, limit: 10 }, options: RunListOptions = {}) => {
        const { items, total } = await runs.list(organizationId, filter, page, options);
        return { ids: items.map(({ id }) => id), total };
      };
      /** Ends after the keys are settled. */
      const name = async (...names: string[]) => {
        const keys = await setIndexedKeys(deps, caller, { names });
        clock.advance(120_000);
        return keys;
      };
      const hasRow = async ({ id }: Run) =>
        (await table.get(runMetadataKey(organizationId, id))) !== undefined;
      const repair = () => repairRunMetadata(table, organizationId);
      return { runs, put, list, name, hasRow, repair, organizationId, caller, deps, table, clock };
    };

    it("has any number of runs, each under every key that is named", async () => {
      const { put, list, name } = await setUp();
      await name("order", "team");
      const metadata = { order: "7", team: "a", other: "x" };
      const all: string[] = [];
      for (let count = 0; count < searchRowsMax + 2; count += 1) all.unshift((await put({ metadata })).id);
      await put({ metadata: { order: "8" } });
      const total = all.length;
      expect(await list({ metadata: { order: "7" } })).toEqual({ ids: all, total });
      expect(await list({ metadata: { team: "a" } }, { skip: 1, limit: 2 })).toEqual({
        ids: all.slice(1, 3),
        total,
      });
      expect(await list({ metadata: { team: "7" } })).toEqual({ ids: [], total: 0 });
      const tooBroad = { code: "search_too_broad" };
      await expect(list({ metadata: { other: "x" } })).rejects.toMatchObject(tooBroad);
      await expect(list({ metadata, status: "scheduling" })).rejects.toMatchObject(tooBroad);
      const [last = ""] = all;
      const behind = { skip: 0, limit: 1, after: last };
      expect(await list({ metadata: { order: "7" } }, behind)).toEqual({ ids: all.slice(1, 2), total });
    });

    it("goes together with other filters, other keys and the active ones first", async () => {
      const { put, list, name } = await setUp();
      await name("order");
      const ended = await put({ metadata: { order: "7", a: "1" }, status: "cancelled" });
      const waiting = await put({ metadata: { order: "7", a: "2" } });
      const newest = await put({ metadata: { order: "7", a: "2" }, status: "cancelled" });
      await put({ metadata: { order: "8", a: "2" } });
      const of = (fields: RunFilter) => ({ metadata: { order: "7" }, ...fields });
      expect(await list(of({ status: "cancelled" }))).toEqual({ ids: [newest.id, ended.id], total: 2 });
      expect(await list({ metadata: { order: "7", a: "2" } })).toEqual({
        ids: [newest.id, waiting.id],
        total: 2,
      });
      expect(await list(of({}), undefined, { sortMode: "active_first" })).toEqual({
        ids: [waiting.id, newest.id, ended.id],
        total: 3,
      });
      expect(await list({ metadata: { a: "2", order: "8" }, status: "cancelled" })).toMatchObject({
        total: 0,
      });
    });

    it("leaves earlier runs to a search, which a later beginning avoids", async () => {
      const { put, list, name } = await setUp();
      const metadata = { order: "7" };
      const early = await put({ metadata });
      await put({ metadata: { order: "8" } });
      const [key] = await name("order");
      const late = await put({ metadata });
      expect(await list({ metadata })).toEqual({ ids: [late.id, early.id], total: 2 });
      const behind = { skip: 0, limit: 5, after: late.id };
      expect(await list({ metadata }, behind)).toEqual({ ids: [early.id], total: 2 });
      const createdAtTo = early.createdAt;
      expect(await list({ metadata, createdAtTo })).toEqual({ ids: [early.id], total: 1 });
      for (let count = 0; count < searchRowsMax; count += 1) await put({ metadata });
      await expect(list({ metadata })).rejects.toMatchObject({ code: "search_too_broad" });
      const createdAtFrom = key?.indexedFrom ?? "";
      expect(await list({ metadata, createdAtFrom })).toMatchObject({ total: searchRowsMax + 1 });
    });

    it("follows a change, alone or with the run's end, in the change's own transaction", async () => {
      const { runs, put, list, name, hasRow, organizationId } = await setUp();
      await name("order", "team");
      const run = await put({ metadata: { order: "7", team: "a" } });
      const idempotency = anIdempotency(organizationId);
      const change = { metadata: { order: "8", team: null } };
      expect(await runs.update(organizationId, run.id, change, { idempotency })).toMatchObject({
        run: { metadata: { order: "8" } },
      });
      const repeated = runs.update(organizationId, run.id, change, { idempotency });
      await expect(repeated).rejects.toMatchObject({ name: "AlreadyOnRecord" });
      const found = { ids: [run.id], total: 1 };
      expect(await list({ metadata: { order: "8" } })).toEqual(found);
      for (const metadata of [{ order: "7" }, { team: "a" }]) {
        expect(await list({ metadata })).toEqual({ ids: [], total: 0 });
      }
      const end = { status: "cancelled", metadata: { order: "9" } } as const;
      expect(await runs.update(organizationId, run.id, end)).toMatchObject({ kind: "updated" });
      expect(await list({ metadata: { order: "9" } })).toEqual(found);
      expect(await list({ metadata: { order: "8" } })).toMatchObject({ total: 0 });
      await runs.update(organizationId, run.id, { metadata: null });
      expect(await list({ metadata: { order: "9" } })).toMatchObject({ total: 0 });
      expect(await hasRow(run)).toBe(false);
      await runs.update(organizationId, run.id, { metadata: { team: "b" } });
      expect(await list({ metadata: { team: "b" } })).toEqual(found);
    });

    it("lets two changes at once both happen", async () => {
      const { runs, put, list, name, organizationId } = await setUp();
      await name("a", "b");
      const run = await put();
      await Promise.all(
        ["a", "b"].map((key) => runs.update(organizationId, run.id, { metadata: { [key]: "1" } })),
      );
      expect(await list({ metadata: { a: "1", b: "1" } })).toEqual({ ids: [run.id], total: 1 });
    });

    it("has no run that is deleted or has expired", async () => {
      const { runs, put, list, name, hasRow, organizationId } = await setUp();
      await name("order");
      const metadata = { order: "7" };
      const ended = await put({ metadata, status: "cancelled" });
      const [waiting, expired] = [await put({ metadata }), await put({ metadata, status: "cancelled" })];
      const changed = await put({ status: "cancelled" });
      const now = "2026-02-01T00:00:00.000Z";
      expect(await runs.markDeleted(organizationId, ended.id, now)).toBe(true);
      expect(await runs.markDeleted(organizationId, ended.id, now)).toBe(false);
      expect(await runs.markDeleted(organizationId, waiting.id, now)).toBe(true);
      await runs.expire(expired, now);
      expect(await list({ metadata })).toEqual({ ids: [], total: 0 });
      for (const run of [ended, waiting, expired]) expect(await hasRow(run)).toBe(false);
      await runs.update(organizationId, changed.id, { metadata });
      await runs.expire(changed, now);
      expect(await list({ metadata })).toEqual({ ids: [changed.id], total: 1 });
    });

    it("keeps the place of a key that stays, and begins anew with one that was left out", async () => {
      const { put, list, name, caller, deps } = await setUp();
      const metadata = { a: "1", b: "2" };
      const [a] = await name("a", "b");
      const run = await put({ metadata });
      const [c, again] = await name("c", "a");
      expect([c?.place, again]).toEqual([1, a]);
      const later = await put({ metadata: { ...metadata, c: "3" } });
      expect(await list({ metadata: { b: "2" } })).toEqual({ ids: [later.id, run.id], total: 2 });
      expect((await name("b"))[0]?.indexedFrom).not.toBe(a?.indexedFrom);
      const last = await put({ metadata });
      const all = { ids: [last.id, later.id, run.id], total: 3 };
      for (const pairs of [{ b: "2" }, { a: "1" }]) expect(await list({ metadata: pairs })).toEqual(all);
      expect(await getIndexedKeys(deps, caller)).toEqual(
        await setIndexedKeys(deps, caller, { names: ["b"] }),
      );
    });

    it("is repaired where a row is missing, wrong or too many", async () => {
      const { put, list, name, hasRow, repair, table, organizationId } = await setUp();
      await name("order");
      const [lost, wrong, right] = [
        await put({ metadata: { order: "7" } }),
        await put({ metadata: { order: "7" } }),
        await put({ metadata: { order: "7" } }),
      ];
      const bare = await put();
      const rowOf = async ({ id }: Run) => (await table.get(runMetadataKey(organizationId, id))) ?? {};
      const row = await rowOf(right);
      await table.delete(runMetadataKey(organizationId, lost.id));
      await table.put({ ...row, ...runMetadataKey(organizationId, bare.id) });
      await table.put({ ...row, filter1_pk: "ORG#o#K#w", ...runMetadataKey(organizationId, wrong.id) });
      expect(await repair()).toBe(3);
      expect(await repair()).toBe(0);
      expect(await list({ metadata: { order: "7" } })).toEqual({
        ids: [right.id, wrong.id, lost.id],
        total: 3,
      });
      expect(await hasRow(bare)).toBe(false);
    });
  });
}
