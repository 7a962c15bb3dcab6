import type { OrganizationId } from "../../domain/organization-id.ts";
import type { DynamoTable } from "../table/dynamo-table.ts";
import type { Item } from "../table/item.ts";
import { logSegmentRange, requestLogPartition } from "../table/keys.ts";
import { readRows } from "../table/query.ts";
import { type LogSegment, parseSegment, rowsOf } from "./log-segment.ts";

export interface WrittenSegment extends Omit<LogSegment, "lines"> {
  readonly lineIds: readonly string[];
}

/** Batches of one time arrive in any order; what is older is read again. */
const keptMs = 10_000;
/** One entry per organization; cleared when full. */
const organizationsMax = 100;

/** A segment is never changed and the sequence only grows, so an instance reads each segment once. */
export class WrittenSegments {
  readonly #table: DynamoTable;
  readonly #known = new Map<OrganizationId, readonly WrittenSegment[]>();

  constructor(table: DynamoTable) {
    this.#table = table;
  }

  /** Returns at least the segments written since then, newest first, and the latest in any case. */
  async since(organizationId: OrganizationId, sinceMs: number): Promise<readonly WrittenSegment[]> {
    const before = this.#known.get(organizationId) ?? [];
    const known = before.some(({ writtenAtMs }) => writtenAtMs < sinceMs) ? before : [];
    const rows = {
      partition: requestLogPartition(organizationId),
      ...logSegmentRange(""),
      ...(known[0] && { from: known[0].sortKey }),
      isDescending: true,
    };
    const read: WrittenSegment[] = [];
    for await (const item of readRows(this.#table, rows, 8)) {
      if (item.sk === known[0]?.sortKey) break;
      const segment = writtenSegment(item);
      read.push(segment);
      if (segment.writtenAtMs < sinceMs) break;
    }
    const written = [...read, ...known];
    const oldest = written.findIndex(({ writtenAtMs }) => writtenAtMs < sinceMs - keptMs);
    if (this.#known.size >= organizationsMax) this.#known.clear();
    this.#known.set(organizationId, oldest === -1 ? written : written.slice(0, oldest + 1));
    return written;
  }
}

function writtenSegment(item: Item): WrittenSegment {
  const { lines, ...segment } = parseSegment(item);
  return { ...segment, lineIds: rowsOf({ lines }).map(({ id }) => String(id)) };
}
