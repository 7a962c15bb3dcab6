import type { RequestLog } from "../../domain/audit/request-log.ts";
import { dayOf } from "../../domain/clock.ts";
import { timestampOfId } from "../../domain/derive-id.ts";
import type { OrganizationId } from "../../domain/organization-id.ts";
import { type PageRequest, unknownAfter } from "../../domain/page.ts";
import { dayMs } from "../../vocabulary/time.ts";
import { searchTooBroad } from "../entity/entity-list.ts";
import type { DynamoTable } from "../table/dynamo-table.ts";
import type { Item } from "../table/item.ts";
import { isUuid7 } from "../table/key-parts.ts";
import { lateLineRange, logSegmentKey, logSegmentRange, requestLogPartition } from "../table/keys.ts";
import { countRows, readRows } from "../table/query.ts";
import {
  beginsWithinMs,
  type LogSegment,
  lateAfterMs,
  logRow,
  parseSegment,
  rowsOf,
  skewMs,
} from "./log-segment.ts";

export interface LogBounds {
  readonly organizationId: OrganizationId;
  readonly oldestMs: number;
  /** Both ends are included, and compared with the time at which a call began. */
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
}

const segmentsAtOnce = 1_000;

/** A page behind a line reads the segments of some minutes before it. */
const segmentsAtOnceMin = 100;

/** The lines of calls that began within a time. Lines of one segment come with the latest last. */
export class LogRange {
  readonly #table: DynamoTable;
  readonly #bounds: LogBounds;
  readonly #partition: string;

  constructor(table: DynamoTable, bounds: LogBounds) {
    this.#table = table;
    this.#bounds = bounds;
    this.#partition = requestLogPartition(bounds.organizationId);
  }

  /** Returns rows newest first. @throws {InvalidInput} for an `after` that is not in the range. */
  async page({ skip, limit, after }: PageRequest): Promise<readonly RequestLog[]> {
    const found: Item[] = [];
    const lines = after === undefined ? this.#newestFirst(skip + limit) : this.#behind(after, skip + limit);
    for await (const line of lines) {
      if (found.push(line) === skip + limit) break;
    }
    return found.slice(skip).map(logRow.parse);
  }

  /** Running totals count all segments but those at the two ends, whose lines are compared. */
  async count(): Promise<number> {
    const { fromMs, toMs } = this.#bounds;
    const late = countRows(this.#table, this.#lateRows());
    if (fromMs !== undefined && toMs !== undefined && toMs <= fromMs + lateAfterMs) {
      return (await late) + (await this.#countBetween(fromMs - 1, toMs + lateAfterMs));
    }
    const [last, before, newest, oldest] = await Promise.all([
      this.#lastUntil(toMs),
      this.#totalUntil(fromMs === undefined ? undefined : fromMs + lateAfterMs),
      toMs === undefined ? 0 : this.#countBetween(toMs, toMs + lateAfterMs),
      fromMs === undefined ? 0 : this.#countBetween(fromMs - 1, fromMs + lateAfterMs),
    ]);
    return (await late) + newest + Math.max(0, (last?.lineTotal ?? 0) - before) + oldest;
  }

  /**
   * Returns all lines that match, and how many of them come before the page.
   *
   * @throws {DomainError} `search_too_broad` @throws {InvalidInput} for an `after` that is not in the range.
   */
  async search(
    isMatch: (line: Item) => boolean,
    rowsMax: number,
    after: string | undefined,
  ): Promise<{ readonly found: readonly Item[]; readonly before: number }> {
    const found: Item[] = [];
    let before = after === undefined ? 0 : undefined;
    let read = 0;
    for await (const line of this.#newestFirst(segmentsAtOnce)) {
      read += 1;
      if (read > rowsMax) throw searchTooBroad({ rowsMax, noun: "lines" });
      if (isMatch(line)) found.push(line);
      if (line.id === after) before = found.length;
    }
    if (after !== undefined && before === undefined) this.#requireExpired(after);
    return { found, before: before ?? found.length };
  }

  async find(id: string, afterMs: number, untilMs: number): Promise<RequestLog | undefined> {
    for await (const segment of this.#segments(afterMs, untilMs)) {
      const line = rowsOf(segment).find((row) => row.id === id);
      if (line) return logRow.parse(line);
    }
    return undefined;
  }

  /** The lines before it in the same minutes are read and left out. */
  async *#behind(id: string, atOnce: number): AsyncGenerator<Item> {
    const idMs = timestampOfId(id);
    const writtenByMs = idMs + beginsWithinMs + lateAfterMs + skewMs;
    const lines = this.#newestFirst(Math.max(atOnce, segmentsAtOnceMin), writtenByMs);
    for await (const line of lines) {
      if (line.id === id) return yield* lines;
      if (Date.parse(String(line.created_at)) < idMs - lateAfterMs - skewMs) break;
    }
    this.#requireExpired(id);
  }

  /** Everything behind a line that has expired has expired, too. */
  #requireExpired(id: string): void {
    if (!isUuid7(id) || timestampOfId(id) >= this.#bounds.oldestMs) throw unknownAfter(id);
  }

  /** @param writtenByMs leaves out what was written, or began, later. */
  async *#newestFirst(atOnce: number, writtenByMs = Number.POSITIVE_INFINITY): AsyncGenerator<Item> {
    const { oldestMs, fromMs = 0, toMs = Number.POSITIVE_INFINITY } = this.#bounds;
    const untilMs = finite(Math.min(toMs + lateAfterMs, writtenByMs));
    const segments = this.#segments(Math.max(fromMs, oldestMs) - 1, untilMs, atOnce);
    const lateRows = this.#lateRows(finite(Math.min(toMs, writtenByMs)));
    const late = readRows(this.#table, { ...lateRows, isDescending: true }, atOnce);
    let nextLate = await late.next();
    for await (const segment of segments) {
      while (!nextLate.done && Date.parse(String(nextLate.value.created_at)) > segment.writtenAtMs) {
        yield nextLate.value;
        nextLate = await late.next();
      }
      yield* this.#linesOf(segment).toReversed();
    }
    if (!nextLate.done) yield nextLate.value;
    yield* late;
  }

  /** Reads the segments written after `afterMs` but not after `untilMs`, newest first. */
  async *#segments(
    afterMs: number,
    untilMs: number | undefined,
    atOnce = segmentsAtOnce,
  ): AsyncGenerator<LogSegment> {
    const { from, to } = logSegmentRange(dayOf(Math.max(afterMs, this.#bounds.oldestMs)));
    const last = untilMs === undefined ? { sortKey: to } : await this.#lastUntil(untilMs);
    if (last === undefined) return;
    const rows = { partition: this.#partition, from, to: last.sortKey, isDescending: true };
    for await (const item of readRows(this.#table, rows, Math.min(atOnce, segmentsAtOnce))) {
      const segment = parseSegment(item);
      if (segment.writtenAtMs <= afterMs) return;
      yield segment;
    }
  }

  async #countBetween(afterMs: number, untilMs: number): Promise<number> {
    let count = 0;
    for await (const segment of this.#segments(afterMs, untilMs)) count += this.#linesOf(segment).length;
    return count;
  }

  #linesOf(segment: LogSegment): readonly Item[] {
    const { fromMs = 0, toMs = Number.POSITIVE_INFINITY } = this.#bounds;
    return rowsOf(segment).filter(({ created_at }) => {
      const createdMs = Date.parse(String(created_at));
      return createdMs >= fromMs && createdMs <= toMs;
    });
  }

  /** Counts the lines of all segments until then, including expired ones. */
  async #totalUntil(untilMs: number | undefined): Promise<number> {
    const last = untilMs === undefined ? undefined : await this.#lastUntil(untilMs);
    if (last) return last.lineTotal;
    const oldest = await this.#first(this.#days());
    return oldest === undefined ? 0 : oldest.lineTotal - oldest.lineCount;
  }

  /** Segments have consecutive places, and none is written before its predecessor. */
  async #lastUntil(untilMs: number | undefined): Promise<LogSegment | undefined> {
    const newest = await this.#first(this.#days(untilMs), true);
    if (untilMs === undefined || newest === undefined || newest.writtenAtMs <= untilMs) return newest;
    const { day, place } = newest;
    let found: LogSegment | undefined;
    let [low, high] = [0, place];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const item = await this.#table.get(logSegmentKey(this.#bounds.organizationId, day, middle));
      const segment = item && parseSegment(item);
      if (segment && segment.writtenAtMs > untilMs) {
        high = middle;
      } else {
        found = segment;
        low = middle + 1;
      }
    }
    return found ?? (await this.#first(this.#days(Date.parse(day) - dayMs), true));
  }

  #days(untilMs?: number) {
    return logSegmentRange(dayOf(this.#bounds.oldestMs), untilMs === undefined ? undefined : dayOf(untilMs));
  }

  async #first(
    range: { readonly from: string; readonly to: string },
    isDescending = false,
  ): Promise<LogSegment | undefined> {
    const rows = { partition: this.#partition, ...range, isDescending };
    for await (const item of readRows(this.#table, rows, 1)) return parseSegment(item);
    return undefined;
  }

  #lateRows(toMs = this.#bounds.toMs) {
    const { oldestMs, fromMs = oldestMs } = this.#bounds;
    return { partition: this.#partition, ...lateLineRange(Math.max(fromMs, oldestMs), toMs) };
  }
}

function finite(ms: number): number | undefined {
  return Number.isFinite(ms) ? ms : undefined;
}
