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
/** After so many reads in a row that found nothing of another instance, there is probably none. */
const readsAlone = 3;

interface Known {
  readonly segments: readonly WrittenSegment[];
  /** The log's first segment is among them. */
  readonly isWhole: boolean;
  /** Reads in a row that found nothing of another instance. */
  readonly alone: number;
}

/** An instance that knows nothing of others begins as if there were none: a put that fails shows them. */
const nothing: Known = { segments: [], isWhole: false, alone: readsAlone };

/** A segment is never changed and the sequence only grows, so an instance reads each segment once. */
export class WrittenSegments {
  readonly #table: DynamoTable;
  readonly #known = new Map<OrganizationId, Known>();

  constructor(table: DynamoTable) {
    this.#table = table;
  }

  /**
   * Returns `since` without a read while no other instance writes this log. Only a put at the next place shows that it
   * was all, so an empty log, whose next place depends on the day, is always read.
   */
  likelySince(organizationId: OrganizationId, sinceMs: number): readonly WrittenSegment[] | undefined {
    const { segments, isWhole, alone } = this.#known.get(organizationId) ?? nothing;
    const isLikely =
      segments.length > 0 && alone >= readsAlone && (isWhole || reachesBackTo(sinceMs, segments));
    return isLikely ? segments : undefined;
  }

  /** Returns at least the segments written since then, newest first, and the latest in any case. */
  async since(organizationId: OrganizationId, sinceMs: number): Promise<readonly WrittenSegment[]> {
    const before = this.#known.get(organizationId) ?? nothing;
    const known = before.isWhole || reachesBackTo(sinceMs, before.segments) ? before.segments : [];
    const [last] = known;
    const rows = {
      partition: requestLogPartition(organizationId),
      ...logSegmentRange(""),
      ...(last && { from: last.sortKey }),
      isDescending: true,
    };
    const read: WrittenSegment[] = [];
    let isCut = false;
    for await (const item of readRows(this.#table, rows, 8)) {
      if (item.sk === last?.sortKey) break;
      const segment = writtenSegment(item);
      read.push(segment);
      isCut = segment.writtenAtMs < sinceMs;
      if (isCut) break;
    }
    // Between a read that was cut short and what was known there may be segments of others.
    const segments = isCut ? read : [...read, ...known];
    const isWhole = !isCut && (last === undefined || before.isWhole);
    const isAlone = before === nothing || read.length === 0;
    if (this.#known.size >= organizationsMax) this.#known.clear();
    this.#keep(organizationId, { segments, isWhole, alone: isAlone ? before.alone + 1 : 0 }, sinceMs);
    return segments;
  }

  /** @param item was put at the next place after `last`. */
  add(organizationId: OrganizationId, last: WrittenSegment | undefined, item: Item, sinceMs: number): void {
    const known = this.#known.get(organizationId);
    if (known === undefined || known.segments[0]?.sortKey !== last?.sortKey) return;
    this.#keep(organizationId, { ...known, segments: [writtenSegment(item), ...known.segments] }, sinceMs);
  }

  #keep(organizationId: OrganizationId, { segments, isWhole, alone }: Known, sinceMs: number): void {
    const oldest = segments.findIndex(({ writtenAtMs }) => writtenAtMs < sinceMs - keptMs);
    const kept = oldest === -1 ? segments : segments.slice(0, oldest + 1);
    this.#known.set(organizationId, { segments: kept, isWhole: isWhole && kept === segments, alone });
  }
}

function reachesBackTo(sinceMs: number, segments: readonly WrittenSegment[]): boolean {
  return segments.some(({ writtenAtMs }) => writtenAtMs < sinceMs);
}

function writtenSegment(item: Item): WrittenSegment {
  const { lines, ...segment } = parseSegment(item);
  return { ...segment, lineIds: rowsOf({ lines }).map(({ id }) => String(id)) };
}
