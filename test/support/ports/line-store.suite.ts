import { randomUUID } from "node:crypto";
import { v7 } from "uuid";
import { describe, expect, it, vi } from "vitest";
import type { RequestLogFilter } from "../../../shared/domain/audit/line-store.ts";
import type { RequestLog } from "../../../shared/domain/audit/request-log.ts";
import { isoTimestamp } from "../../../shared/domain/clock.ts";
import { DynamoRequestLog } from "../../../shared/storage/log/dynamo-request-log.ts";
import { requestLogPartition } from "../../../shared/storage/table/keys.ts";
import { countRows } from "../../../shared/storage/table/query.ts";
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
    it("are kept and counted once, however often and in whatever parts they come", async () => {
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

  describe("lines of the request log", () => {
    it("are one segment a batch, in the order in which they were written", async () => {
      const { requestLog, organizationId, clock, table } = setUp();
      const batch = () =>
        [0, 1, 2].map(() => aRequestLog({ organizationId, createdAt: isoTimestamp(clock.now()) }));
      const [first, second] = [batch(), batch()];
      await requestLog.append(first);
      await requestLog.append([...second, ...first]);
      await requestLog.append(second);
      const partition = requestLogPartition(organizationId);
      expect(await countRows(table, { partition })).toBe(2);
      const page = await requestLog.list(organizationId, {}, { skip: 1, limit: 3 });
      expect(page).toEqual({ items: [second[1], second[0], first[2]], total: 6 });
    });

    it("written by many at once, before and after midnight, are all there once", async () => {
      const { requestLog, organizationId, clock, table } = setUp();
      clock.advance(dayMs - (clock.now() % dayMs) - 250);
      const lines = Array.from({ length: 24 }, () =>
        aRequestLog({ organizationId, createdAt: isoTimestamp(clock.now()) }),
      );
      const ahead = { table, days: 7, clock: { now: () => clock.now() + 500 } };
      const logs = [requestLog, new DynamoRequestLog(ahead)];
      await Promise.all(lines.map((line, at) => logs[at % 2]?.append([line])));
      await Promise.all(lines.map((line) => requestLog.append([line])));
      const { items, total } = await requestLog.list(organizationId, {}, all);
      expect(total).toBe(24);
      expect(new Set(items.map(({ id }) => id))).toEqual(new Set(lines.map(({ id }) => id)));
    });

    it("of a busy organization are written without reading again what has been read", async () => {
      const { requestLog, organizationId, clock, table } = setUp();
      const other = new DynamoRequestLog({ table, days: 7, clock });
      const read = vi.spyOn(table, "queryPage");
      const lines: RequestLog[] = [];
      for (let batch = 0; batch < 120; batch += 1) {
        clock.advance(50);
        lines.push(aRequestLog({ organizationId, createdAt: isoTimestamp(clock.now()) }));
        await (batch % 5 === 0 ? other : requestLog).append(lines.slice(-2));
      }
      const pages = await Promise.all(read.mock.results.map(({ value }) => value));
      read.mockRestore();
      const rowsOfLate = pages.slice(-40).map(({ Count }) => Count);
      expect(Math.max(...rowsOfLate)).toBeLessThanOrEqual(6);
      expect(await requestLog.list(organizationId, {}, all)).toMatchObject({ total: 120 });
      await requestLog.append(lines);
      expect(await requestLog.list(organizationId, {}, all)).toMatchObject({ total: 120 });
    });

    it("of one writer are written without a read, and what another wrote is not written again", async () => {
      const { requestLog, organizationId, clock, table } = setUp();
      const other = new DynamoRequestLog({ table, days: 7, clock });
      const read = vi.spyOn(table, "queryPage");
      const lines: RequestLog[] = [];
      const reads: number[] = [];
      const write = async (log: DynamoRequestLog, repeated: number) => {
        clock.advance(500);
        lines.push(aRequestLog({ organizationId, createdAt: isoTimestamp(clock.now()) }));
        const before = read.mock.calls.length;
        await log.append(lines.slice(-1 - repeated));
        reads.push(read.mock.calls.length - before);
      };
      for (let batch = 0; batch < 10; batch += 1) await write(requestLog, 1);
      await write(other, 2);
      for (let batch = 0; batch < 5; batch += 1) await write(requestLog, 2);
      read.mockRestore();
      expect(reads.slice(0, 10)).toEqual([1, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
      expect(reads.slice(11)).toEqual([1, 1, 1, 1, 0]);
      // A line of long ago may be in a segment of another writer.
      const late = aRequestLog({ organizationId, createdAt: isoTimestamp(clock.now()) });
      await other.append([late]);
      clock.advance(130_000);
      await requestLog.append([late]);
      const { items, total } = await requestLog.list(organizationId, {}, all);
      expect(total).toBe(lines.length + 1);
      expect(new Set(items.map(({ id }) => id))).toEqual(new Set([...lines, late].map(({ id }) => id)));
    });

    it("that another wrote between what one knows and what it reads are not written again", async () => {
      const { requestLog, organizationId, clock, table } = setUp();
      const other = new DynamoRequestLog({ table, days: 7, clock });
      const lines: RequestLog[] = [];
      const write = async (log: DynamoRequestLog, laterMs: number) => {
        clock.advance(laterMs);
        const line = aRequestLog({ organizationId, createdAt: isoTimestamp(clock.now()) });
        lines.push(line);
        await log.append([line]);
        return line;
      };
      await write(requestLog, 0);
      await write(requestLog, 5_000);
      const between = await write(other, 500);
      await write(other, 500);
      await write(requestLog, 4_000);
      await requestLog.append([between]);
      expect((await requestLog.list(organizationId, {}, all)).total).toBe(lines.length);
    });

    it("are found by id and counted in any range of time, late ones and those of dead callers, too", async () => {
      const { requestLog, organizationId, clock } = setUp();
      const startMs = clock.now();
      const kept: RequestLog[] = [];
      for (let round = 0; round < 24; round += 1) {
        const batch = Array.from({ length: 1 + (round % 4) }, (_, index) => {
          const agoMs = [0, 30_000, 119_000, 3_600_000][(round + index) % 4] ?? 0;
          const createdAt = isoTimestamp(clock.now() - agoMs);
          const isLost = (round + index) % 7 === 0;
          return aRequestLog({ organizationId, createdAt, ...(isLost && { completedAt: null }) });
        });
        kept.push(...batch);
        await requestLog.append(batch);
        // The rounds span two midnights.
        clock.advance([500, 45_000, 18_000_000][round % 3] ?? 0);
      }
      for (const line of kept) expect(await requestLog.find(organizationId, line.id)).toEqual(line);
      for (let at = 0; at < 24; at += 1) {
        const [one, other] = [kept[(at * 37) % kept.length], kept[(at * 53) % kept.length]].map(
          (line) => line?.createdAt ?? "",
        );
        const [createdAtFrom = "", createdAtTo = ""] = [one ?? "", other ?? ""].sort();
        const range = [{ createdAtFrom, createdAtTo }, { createdAtFrom }, { createdAtTo }, {}][at % 4] ?? {};
        const wanted = kept.filter(
          ({ createdAt }) =>
            createdAt >= (range.createdAtFrom ?? "") && createdAt <= (range.createdAtTo ?? "9999"),
        );
        const { items, total } = await requestLog.list(organizationId, range, all);
        expect({ range, total }).toEqual({ range, total: wanted.length });
        expect(new Set(items.map(({ id }) => id))).toEqual(new Set(wanted.map(({ id }) => id)));
        const filtered = await requestLog.list(organizationId, { ...range, method: "POST" }, all);
        expect(filtered).toEqual({ items, total });
      }
      const paged = async (filter: RequestLogFilter, limit: number) => {
        const ids: string[] = [];
        for (let after: string | undefined; ; after = ids.at(-1)) {
          const page = await requestLog.list(organizationId, filter, { skip: 0, limit, after });
          expect(page.total).toBe(kept.length);
          if (page.items.length === 0) return ids;
          ids.push(...page.items.map(({ id }) => id));
        }
      };
      const inOrder = (await requestLog.list(organizationId, {}, all)).items.map(({ id }) => id);
      expect(await paged({}, 7)).toEqual(inOrder);
      expect(await paged({}, 1)).toEqual(inOrder);
      expect(await paged({ method: ["POST", "GET"] }, 40)).toEqual(inOrder);
      const future = { createdAtFrom: "9999-12-31T23:59:59Z" };
      expect(await requestLog.list(organizationId, future, all)).toEqual({ items: [], total: 0 });
      const past = { createdAtTo: isoTimestamp(startMs - dayMs) };
      expect(await requestLog.list(organizationId, past, all)).toEqual({ items: [], total: 0 });
    });
  });

  it("behind one that nobody has are refused; behind one that has expired there are none", async () => {
    const { auditLog, requestLog, clock, organizationId, own } = setUp();
    const [event, line] = [anAuditEvent(own), aRequestLog(own)];
    await auditLog.append([event]);
    await requestLog.append([line]);
    const behind = (after: string) => ({ skip: 0, limit: 10, after });
    const none = { items: [], total: 1 };
    expect(await auditLog.list(organizationId, {}, behind(event.id))).toEqual(none);
    expect(await requestLog.list(organizationId, {}, behind(line.id))).toEqual(none);
    const times = [clock.now(), clock.now() - 500 * dayMs];
    const [unknown = "", expired = ""] = times.map((msecs) => v7({ msecs }));
    for (const log of [auditLog, requestLog]) {
      for (const after of [unknown, randomUUID()]) {
        await expect(log.list(organizationId, {}, behind(after))).rejects.toThrow("query.after");
      }
      expect(await log.list(organizationId, {}, behind(expired))).toEqual(none);
    }
    const searched = requestLog.list(organizationId, { method: "POST" }, behind(unknown));
    await expect(searched).rejects.toThrow("query.after");
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
    expect(await totalOf({ actor: ["key-1", "nobody"] })).toBe(2);
    expect(await totalOf({ resourceType: ["machine", "pool"], resourceId })).toBe(3);
    const manyIds = [resourceId, ...Array.from({ length: 15 }, () => v7())];
    expect(await totalOf({ resourceType: ["machine", "pool"], resourceId: manyIds })).toBe(3);
    expect(await totalOf({ operation: ["deleteMachine", "nothing"], actor: "key-1" })).toBe(1);
    const together = { actor: "key-1", resourceType: "machine", resourceId, operation: "deleteMachine" };
    expect(await auditLog.list(organizationId, together, all)).toEqual({ items: [wanted], total: 1 });
  });

  it("calls are found by machine, method and status; a search that is too broad is refused", async () => {
    const { requestLog, own, organizationId } = setUp({ searchRowsMax: 4 });
    const machineId = v7();
    const wanted = aRequestLog({ ...own, machineId, method: "GET", statusCode: 404 });
    await requestLog.append([
      wanted,
      aRequestLog({ ...own, machineId, method: "GET" }),
      aRequestLog({ ...own, machineId, statusCode: 404 }),
      aRequestLog(own),
    ]);
    expect((await requestLog.list(organizationId, { machineId }, all)).total).toBe(3);
    expect((await requestLog.list(organizationId, { statusCode: [404, 500] }, all)).total).toBe(2);
    const together = { machineId, method: "GET", statusCode: 404 };
    expect(await requestLog.list(organizationId, together, all)).toEqual({ items: [wanted], total: 1 });
    await requestLog.append([aRequestLog(own)]);
    await expect(requestLog.list(organizationId, { statusCode: 404 }, all)).rejects.toMatchObject({
      code: "search_too_broad",
    });
  });
}
