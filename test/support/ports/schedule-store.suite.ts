import { v7 } from "uuid";
import { describe, expect, it } from "vitest";
import { AlreadyOnRecord } from "../../../shared/domain/idempotency/idempotency.ts";
import type { Schedule } from "../../../shared/domain/schedule/schedule.ts";
import type { ScheduleFilter } from "../../../shared/domain/schedule/schedule-store.ts";
import { limitKey } from "../../../shared/storage/table/keys.ts";
import { schedulesMax } from "../../../shared/vocabulary/schedules.ts";
import { anIdempotency, anOrganization } from "../builders/entities.ts";
import { aSchedule } from "../builders/schedules.ts";
import type { CreateTableStores } from "../stores/table-stores.ts";

const updatedAt = "2026-03-01T00:00:00.000Z";
const deletedAt = "2026-03-02T00:00:00.000Z";
const page = { skip: 0, limit: 100 };

export function scheduleStoreSuite(create: CreateTableStores): void {
  const setUp = async () => {
    const stores = create();
    const organizationId = anOrganization();
    const put = async (fields: Partial<Schedule> = {}) => {
      const schedule = aSchedule({ organizationId, ...fields });
      expect(await stores.schedules.create(schedule)).toEqual({ kind: "created" });
      return schedule;
    };
    const ids = async (filter: ScheduleFilter, wanted: { readonly after?: string } = {}) => {
      const { items, total } = await stores.schedules.list(organizationId, filter, { ...page, ...wanted });
      return { ids: items.map(({ id }) => id), total };
    };
    return { ...stores, organizationId, put, ids };
  };

  describe("a schedule store", () => {
    it("finds a schedule as it was created", async () => {
      const { schedules, organizationId, put } = await setUp();
      const schedule = await put({
        cron: null,
        everyMinutes: 15,
        timeZone: "Europe/Lisbon",
        machineId: v7(),
        inputValues: { deep: { "": [null, 1.5, "ä"] } },
        files: [{ filename: "a.csv", sizeBytes: 3, targetPath: null, cleanupImportsAfterRun: true }],
        contents: { kind: "inline", value: ["YWJj"] },
        metadata: { order: "7" },
        startsAt: updatedAt,
        endsAt: deletedAt,
        keyId: "a-key",
      });
      expect(await schedules.find(organizationId, schedule.id)).toEqual(schedule);
      expect(await schedules.find(anOrganization(), schedule.id)).toBeUndefined();
    });

    it("makes as many as the limit and no more, and one again after a deletion", async () => {
      const { schedules, table, organizationId, put, ids } = await setUp();
      const [first] = [await put(), await put()];
      await table.put({
        ...limitKey(organizationId, "SCHEDULE"),
        kind: "limit",
        count: schedulesMax - 1,
      });
      const five = Array.from({ length: 5 }, () => aSchedule({ organizationId }));
      const outcomes = await Promise.all(five.map((each) => schedules.create(each)));
      expect(outcomes.map(({ kind }) => kind).sort()).toEqual(["created", ...Array(4).fill("limit_reached")]);
      expect((await ids({})).total).toBe(schedulesMax);
      expect(await schedules.markDeleted(organizationId, first.id, deletedAt)).toBe(true);
      expect((await ids({})).total).toBe(schedulesMax - 1);
      await put();
    });

    it("changes what was read, and nothing of one that has changed or gone since", async () => {
      const { schedules, organizationId, put } = await setUp();
      const before = await put({ cron: "0 6 * * *" });
      const change = { cron: null, everyMinutes: 5, name: "often", updatedAt };
      const changed = { ...before, ...change, revision: 2, edition: 1 };
      const edit = { ifEdition: [0] };
      expect(await schedules.update(before, change, { edit })).toEqual({
        kind: "updated",
        schedule: changed,
      });
      expect(await schedules.find(organizationId, before.id)).toEqual(changed);
      expect(await schedules.update(before, { name: "x", updatedAt })).toEqual({ kind: "changed" });
      await schedules.markDeleted(organizationId, before.id, deletedAt);
      expect(await schedules.update(changed, { name: "x", updatedAt })).toEqual({ kind: "not_found" });
      expect(await schedules.update(aSchedule(), { name: "x", updatedAt })).toEqual({ kind: "not_found" });
    });

    it("switches one off once, as the service's own change and not as an edit", async () => {
      const { schedules, organizationId, put } = await setUp();
      const before = await put();
      expect(await schedules.switchOff(before, "workflow_deleted", updatedAt)).toBe(true);
      expect(await schedules.find(organizationId, before.id)).toMatchObject({
        isEnabled: false,
        disabledReason: "workflow_deleted",
        updatedAt,
        edition: 0,
      });
      expect(await schedules.switchOff(before, "key_revoked", updatedAt)).toBe(false);
    });

    it("records the result with the write, once", async () => {
      const { schedules, organizationId, ids } = await setUp();
      const idempotency = anIdempotency(organizationId);
      const schedule = aSchedule({ organizationId });
      await schedules.create(schedule, idempotency);
      await expect(schedules.create(aSchedule({ organizationId }), idempotency)).rejects.toBeInstanceOf(
        AlreadyOnRecord,
      );
      expect((await ids({})).ids).toEqual([schedule.id]);
    });

    it("lists newest first, by each filter, without the contents of files", async () => {
      const { schedules, organizationId, put, ids } = await setUp();
      const contents = { kind: "inline", value: ["YWJj"] } as const;
      const id = v7({ msecs: Date.now() - 60_000 });
      const first = await put({ id, name: "Invoices", contents });
      const second = await put({ isEnabled: false, metadata: { order: "7" } });
      const third = await put({ workflowId: first.workflowId });
      expect(await ids({})).toEqual({ ids: [third.id, second.id, first.id], total: 3 });
      expect((await schedules.list(organizationId, {}, page)).items.at(-1)?.contents).toBeNull();
      expect(await ids({ search: "VOICE" })).toEqual({ ids: [first.id], total: 1 });
      expect(await ids({ isEnabled: false })).toEqual({ ids: [second.id], total: 1 });
      expect(await ids({ metadata: { order: "7" } })).toEqual({ ids: [second.id], total: 1 });
      expect(await ids({ workflowId: [first.workflowId] })).toEqual({
        ids: [third.id, first.id],
        total: 2,
      });
      expect(await ids({ createdAtFrom: second.createdAt })).toMatchObject({ total: 2 });
    });

    it("goes on behind an id, also of one that is gone", async () => {
      const { schedules, organizationId, put, ids } = await setUp();
      const [first, second, third] = [await put(), await put(), await put()];
      expect(await ids({}, { after: third.id })).toEqual({ ids: [second.id, first.id], total: 3 });
      await schedules.markDeleted(organizationId, second.id, deletedAt);
      await schedules.remove(organizationId, second.id);
      expect(await ids({}, { after: second.id })).toEqual({ ids: [first.id], total: 2 });
      expect(await ids({ isEnabled: true }, { after: third.id })).toEqual({ ids: [first.id], total: 2 });
    });
  });
}
