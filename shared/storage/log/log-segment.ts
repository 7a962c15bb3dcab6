import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { RequestLog } from "../../domain/audit/request-log.ts";
import type { OrganizationId } from "../../domain/organization-id.ts";
import { actorField } from "../table/act-stamp.ts";
import type { Item } from "../table/item.ts";
import { logSegmentPlace } from "../table/keys.ts";
import { bytes, number, orNull, row, tenant, text } from "../table/row.ts";

export const logRow = row<RequestLog>("request_log", {
  id: text,
  organizationId: tenant,
  machineId: text,
  requestId: text,
  actor: actorField,
  method: text,
  path: text,
  statusCode: orNull(number),
  errorCode: orNull(text),
  createdAt: text,
  completedAt: orNull(text),
  durationMs: orNull(number),
  requestBytes: number,
  responseBytes: number,
});

/** Clocks of two functions differ by less than this. */
export const skewMs = 2_000;

/** A call's id is made this long before it begins, at most. */
export const beginsWithinMs = 60_000;

/** A segment holds lines of calls that began this long before, at most; later ones have rows of their own. */
export const lateAfterMs = 120_000;

interface SegmentRow {
  readonly organizationId: OrganizationId;
  /** The time is never before the previous segment's. */
  readonly writtenAtMs: number;
  readonly lineCount: number;
  /** The number of lines of this segment and of all before it, including expired ones. */
  readonly lineTotal: number;
  /** Compressed JSON of rows; a single line takes less than 1 KB with its keys. */
  readonly lines: Uint8Array;
}

/** Lines of one batch of the stream, at a place in the organization's one sequence. */
export interface LogSegment extends SegmentRow {
  readonly sortKey: string;
  readonly day: string;
  readonly place: number;
}

const segmentRow = row<SegmentRow>("request_log_segment", {
  organizationId: tenant,
  writtenAtMs: number,
  lineCount: number,
  lineTotal: number,
  lines: bytes,
});

export function parseSegment(item: Item): LogSegment {
  const sortKey = String(item.sk);
  return { ...segmentRow.parse(item), ...logSegmentPlace(sortKey), sortKey };
}

export function writeSegment(
  fields: Omit<SegmentRow, "lineCount" | "lines">,
  lines: readonly RequestLog[],
): Item {
  const packed = deflateRawSync(JSON.stringify(lines.map((line) => logRow.write(line))));
  return segmentRow.write({ ...fields, lineCount: lines.length, lines: packed });
}

/** The latest line is the last. */
export function rowsOf({ lines }: Pick<LogSegment, "lines">): readonly Item[] {
  return JSON.parse(inflateRawSync(lines).toString()) as readonly Item[];
}
