import type { RequestLogFilter, RequestLogStore } from "../../domain/audit/line-store.ts";
import type { RequestLog } from "../../domain/audit/request-log.ts";
import { dayOf } from "../../domain/clock.ts";
import { timestampOfId } from "../../domain/derive-id.ts";
import type { OrganizationId } from "../../domain/organization-id.ts";
import { isAnyOf, type Page, type PageRequest } from "../../domain/page.ts";
import { overtaken, untilWritten } from "../../domain/until-written.ts";
import { dayMs } from "../../vocabulary/time.ts";
import { DynamoStore } from "../table/dynamo-store.ts";
import { check, isNew, put } from "../table/expression.ts";
import type { Item } from "../table/item.ts";
import { lateLineKey, lateLineRange, logSegmentKey, requestLogPartition } from "../table/keys.ts";
import { readRows, timestampRange } from "../table/query.ts";
import type { LineStoreDeps } from "./dynamo-audit-log.ts";
import { LogRange } from "./log-range.ts";
import { beginsWithinMs, lateAfterMs, logRow, skewMs, writeSegment } from "./log-segment.ts";
import { type WrittenSegment, WrittenSegments } from "./written-segments.ts";

/** A batch of the stream has at most this many lines. */
const segmentLinesMax = 100;

/**
 * An organization's log is one sequence of segments, each put on the condition that its place is free. As a segment has
 * the total of all lines up to it, a line alone costs one write, and the exact total of any size two reads.
 *
 * The lines of a batch that the stream repeats are found in the segments written since the calls ended.
 */
export class DynamoRequestLog extends DynamoStore<LineStoreDeps> implements RequestLogStore {
  readonly #segments = new WrittenSegments(this.table);

  async append(lines: readonly RequestLog[]): Promise<void> {
    if (this.deps.days === 0) return;
    const groups = Map.groupBy(lines, ({ organizationId }) => organizationId);
    for (const [organizationId, group] of groups) {
      for (let start = 0; start < group.length; start += segmentLinesMax) {
        await this.#append(organizationId, group.slice(start, start + segmentLinesMax));
      }
    }
  }

  async list(
    organizationId: OrganizationId,
    { machineId, method, statusCode, createdAtFrom, createdAtTo }: RequestLogFilter,
    page: PageRequest,
  ): Promise<Page<RequestLog>> {
    const nowMs = this.deps.clock.now();
    const { fromMs, toMs = nowMs } = timestampRange(createdAtFrom, createdAtTo);
    if (this.deps.days === 0 || (fromMs !== undefined && fromMs > nowMs)) return { items: [], total: 0 };
    const range = this.#range(organizationId, { fromMs, toMs: toMs < nowMs ? toMs : undefined });
    if (machineId === undefined && method === undefined && statusCode === undefined) {
      const [items, total] = await Promise.all([range.page(page), range.count()]);
      return { items, total };
    }
    const isMatch = (line: Item) =>
      isAnyOf(machineId, line.machine_id) &&
      isAnyOf(method, line.method) &&
      isAnyOf(statusCode, line.status_code);
    const { found, before } = await range.search(isMatch, this.deps.searchRowsMax ?? 100_000, page.after);
    const begin = before + page.skip;
    const wanted = found.slice(begin, begin + page.limit);
    return { items: wanted.map(logRow.parse), total: found.length };
  }

  async find(organizationId: OrganizationId, id: string): Promise<RequestLog | undefined> {
    const idMs = timestampOfId(id);
    const { clock, days } = this.deps;
    if (days === 0 || idMs < this.#oldestMs() || idMs > clock.now() + skewMs) return undefined;
    const range = this.#range(organizationId, {});
    const begunMs = idMs + beginsWithinMs;
    // Nearly all calls end, and are written, soon after they began.
    const soon = await range.find(id, idMs - skewMs, begunMs);
    if (soon) return soon;
    const later = await range.find(id, begunMs, begunMs + lateAfterMs);
    if (later) return later;
    const rows = { partition: requestLogPartition(organizationId), ...lateLineRange(idMs, begunMs) };
    for await (const item of readRows(this.table, rows)) if (item.id === id) return logRow.parse(item);
    return undefined;
  }

  #range(
    organizationId: OrganizationId,
    bounds: { readonly fromMs?: number | undefined; readonly toMs?: number | undefined },
  ) {
    return new LogRange(this.table, { organizationId, oldestMs: this.#oldestMs(), ...bounds });
  }

  async #append(organizationId: OrganizationId, lines: readonly RequestLog[]): Promise<void> {
    const nowMs = this.deps.clock.now();
    const isLate = ({ createdAt, completedAt }: RequestLog) =>
      completedAt === null || nowMs - Date.parse(createdAt) > lateAfterMs;
    const ended = lines.flatMap(({ completedAt }) => (completedAt === null ? [] : [Date.parse(completedAt)]));
    const sinceMs = Math.min(...ended) - skewMs;
    // Rows of late lines have no place in the sequence, so their put does not show that all is known.
    const likely = lines.some(isLate) ? undefined : this.#segments.likelySince(organizationId, sinceMs);
    await untilWritten<readonly WrittenSegment[], undefined>(this.table.pacing, {
      what: "the request log",
      ...(likely && { first: likely }),
      read: () => this.#segments.since(organizationId, sinceMs),
      decide: async (segments) => {
        const known = new Set(segments.flatMap(({ lineIds }) => lineIds));
        const byId = new Map(lines.map((line) => [line.id, line]));
        const fresh = [...byId.values()].filter(({ id }) => !known.has(id));
        const { true: late = [], false: prompt = [] } = Object.groupBy(fresh, (line) => `${isLate(line)}`);
        await Promise.all(late.map((line) => this.#putLate(line)));
        if (prompt.length === 0) return undefined;
        return (await this.#putSegment(organizationId, segments[0], prompt, sinceMs)) ? undefined : overtaken;
      },
    });
  }

  async #putLate(line: RequestLog): Promise<void> {
    const createdMs = Date.parse(line.createdAt);
    const key = lateLineKey(line.organizationId, createdMs, line.id);
    await this.table.put({ ...key, ...logRow.write(line), ttl: this.#ttlOf(dayOf(createdMs)) }, isNew);
  }

  async #putSegment(
    organizationId: OrganizationId,
    last: WrittenSegment | undefined,
    lines: readonly RequestLog[],
    sinceMs: number,
  ): Promise<boolean> {
    const writtenAtMs = Math.max(this.deps.clock.now(), last?.writtenAtMs ?? 0);
    const lineTotal = last?.lineTotal ?? 0;
    const today = dayOf(writtenAtMs);
    const segmentAt = (day: string, place: number, own: readonly RequestLog[]) => ({
      ...logSegmentKey(organizationId, day, place),
      ...writeSegment({ organizationId, writtenAtMs, lineTotal: lineTotal + own.length }, own),
      ttl: this.#ttlOf(day),
    });
    if (last?.day === today) {
      const segment = segmentAt(today, last.place + 1, lines);
      const { kind } = await this.table.put(segment, isNew);
      if (kind === "written") this.#segments.add(organizationId, last, segment, sinceMs);
      return kind === "written";
    }
    const segment = segmentAt(today, 0, lines);
    // If two writers have different days, one fails: the first of a day also takes the last place of the day before.
    const others = last
      ? [put(segmentAt(last.day, last.place + 1, []), isNew)]
      : [-dayMs, dayMs].map((ms) => check(logSegmentKey(organizationId, dayOf(writtenAtMs + ms), 0), isNew));
    const { failed } = await this.table.transact({ first: put(segment, isNew), others });
    if (failed === undefined) this.#segments.add(organizationId, last, segment, sinceMs);
    return failed === undefined;
  }

  #ttlOf(day: string): number {
    return (Date.parse(day) + (this.deps.days + 1) * dayMs) / 1_000;
  }

  /** Lines of a day expire together. */
  #oldestMs(): number {
    const { clock, days } = this.deps;
    return Date.parse(dayOf(clock.now() - days * dayMs));
  }
}
