import { v7 } from "uuid";
import { describe, expect, it } from "vitest";
import { isoTimestamp } from "../../../shared/domain/clock.ts";
import { DynamoRequestLog } from "../../../shared/storage/log/dynamo-request-log.ts";
import { anActor, anAuditEvent, anOrganization, aRequestLog } from "../builders/entities.ts";
import { FakeClock } from "../fakes/fake-clock.ts";
import type { CreateTableStores } from "../stores/table-stores.ts";

const dayMs = 24 * 3_600 * 1_000;
const all = { skip: 0, limit: 1_000 };

export function lineStoreSuite(create: CreateTableStores): void {
  const setUp = (options: { readonly searchRowsMax?: number } = {}) => {
    const clock = new FakeClock();
    const stores = create({ clock, ...options });
    const organizationId = anOrganization();
    const own = { organizationId, createdAt: isoTimestamp(clock.now()) };
    return { ...stores, clock, organizationId, own };
  };

  describe("lines", () => {
    it("are kept and counted once, however often they are told, and in whatever parts", async () => {
      const { auditLog, own, organizationId } = setUp();
      const events = Array.from({ length: 120 }, () => anAuditEvent(own));
      const another = anAuditEvent({ ...own, organizationId: anOrganization() });
      await auditLog.append([...events.slice(0, 30), another, ...events.slice(0, 5)]);
      await auditLog.append(events.slice(20));
      await Promise.all([auditLog.append(events), auditLog.append([...events].reverse())]);
      const { items, total } = await auditLog.list(organizationId, {}, all);
      expect(total).toBe(120);
      expect(new Set(items.map(({ id }) => id))).toEqual(new Set(events.map(({ id }) => id)));
      expect(items.find(({ id }) => id === events[7]?.id)).toEqual(events[7]);
      expect((await auditLog.list(another.organizationId, {}, all)).total).toBe(1);
      expect(await auditLog.find(another.organizationId, events[0]?.id ?? "")).toBeUndefined();
    });

    it("are listed newest first, by page and by time, with the exact total", async () => {
      const { requestLog, organizationId, clock } = setUp();
      const at = (index: number) => isoTimestamp(clock.now() - index * 3_600_000);
      // The lines span two midnights.
      const lines = Array.from({ length: 40 }, (_, index) =>
        aRequestLog({ organizationId, createdAt: at(index) }),
      );
      await requestLog.append(lines);
      const page = await requestLog.list(organizationId, {}, { skip: 10, limit: 5 });
      expect(page).toEqual({ items: lines.slice(10, 15), total: 40 });
      const between = { createdAtFrom: at(30), createdAtTo: at(21) };
      expect(await requestLog.list(organizationId, between, all)).toEqual({
        items: lines.slice(21, 31),
        total: 10,
      });
    });

    it("of a day are forgotten together, though their rows may still be there", async () => {
      const { requestLog, organizationId, clock, own } = setUp();
      const old = aRequestLog(own);
      await requestLog.append([old]);
      clock.advance(dayMs);
      const next = aRequestLog({ organizationId, createdAt: isoTimestamp(clock.now()) });
      await requestLog.append([next]);
      clock.advance(6 * dayMs);
      expect((await requestLog.list(organizationId, {}, all)).total).toBe(2);
      clock.advance(dayMs);
      expect(await requestLog.list(organizationId, {}, all)).toEqual({ items: [next], total: 1 });
      const { createdAt: createdAtFrom } = old;
      expect((await requestLog.list(organizationId, { createdAtFrom }, all)).total).toBe(1);
      expect(await requestLog.find(organizationId, old.id)).toBeUndefined();
      expect(await requestLog.find(organizationId, next.id)).toEqual(next);
    });

    it("are not kept for 0 days", async () => {
      const { table, clock, organizationId, own } = setUp();
      const off = new DynamoRequestLog({ table, clock, days: 0 });
      const line = aRequestLog(own);
      await off.append([line]);
      expect(await off.list(organizationId, {}, all)).toEqual({ items: [], total: 0 });
      await new DynamoRequestLog({ table, clock, days: 1 }).append([line]);
      expect(await off.find(organizationId, line.id)).toBeUndefined();
    });
  });

  it("audit events are found by actor, resource and operation, and all of them together", async () => {
    const { auditLog, own, organizationId } = setUp();
    const [resourceId, key] = [v7(), anActor("key-1")];
    const wanted = anAuditEvent({ ...own, resourceId, actor: key, operation: "deleteMachine" });
    const others = [
      anAuditEvent({ ...own, resourceId, resourceType: "pool", actor: key }),
      anAuditEvent({ ...own, resourceId }),
      anAuditEvent({ ...own, operation: "deleteMachine" }),
    ];
    await auditLog.append([wanted, ...others]);
    const totalOf = async (filter: Parameters<typeof auditLog.list>[1]) =>
      (await auditLog.list(organizationId, filter, all)).total;
    expect(await totalOf({ actor: "key-1" })).toBe(2);
    expect(await totalOf({ resourceType: "machine", resourceId })).toBe(2);
    expect(await totalOf({ resourceId })).toBe(3);
    expect(await totalOf({ resourceType: "machine" })).toBe(3);
    expect(await totalOf({ operation: "deleteMachine" })).toBe(2);
    const together = { actor: "key-1", resourceType: "machine", resourceId, operation: "deleteMachine" };
    expect(await auditLog.list(organizationId, together, all)).toEqual({ items: [wanted], total: 1 });
  });

  it("calls are found by machine, method and status; a search that is too broad is refused", async () => {
    const { requestLog, own, organizationId } = setUp({ searchRowsMax: 3 });
    const machineId = v7();
    const wanted = aRequestLog({ ...own, machineId, method: "GET", statusCode: 404 });
    await requestLog.append([
      wanted,
      aRequestLog({ ...own, machineId, method: "GET" }),
      aRequestLog({ ...own, machineId, statusCode: 404 }),
      aRequestLog(own),
    ]);
    expect((await requestLog.list(organizationId, { machineId }, all)).total).toBe(3);
    const together = { machineId, method: "GET", statusCode: 404 };
    expect(await requestLog.list(organizationId, together, all)).toEqual({ items: [wanted], total: 1 });
    await expect(requestLog.list(organizationId, { statusCode: 404 }, all)).rejects.toMatchObject({
      code: "search_too_broad",
    });
  });
}
