import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import type { CreatedRange } from "../../domain/page.ts";
import type { IndexName } from "../../vocabulary/table.ts";
import type { DynamoTable } from "./dynamo-table.ts";
import { fromAttributes, type Item, type Key, keyOfItem, toAttributes } from "./item.ts";
import { createdRange } from "./keys.ts";

/** Rows of one partition, of the base table (strongly consistent) or of an index (keys only, eventually consistent). */
export interface Rows {
  /** @default the base table */
  readonly index?: IndexName;
  readonly partition: string;
  /** Sort keys, both ends included. */
  readonly from?: string;
  readonly to?: string;
  /** Sort keys above this one; base table only. */
  readonly after?: string;
  /** @default false */
  readonly isDescending?: boolean;
}

/**
 * @param max at most this many; without it all.
 * @param isEnough called after each page of 1 MB; true ends the reading.
 */
export async function queryItems(
  table: DynamoTable,
  rows: Rows,
  max = Number.POSITIVE_INFINITY,
  isEnough: (items: readonly Item[]) => boolean = () => false,
): Promise<Item[]> {
  return await readOn(table, rows, max, undefined, isEnough);
}

/** The number of rows, at most `max`; reads the keys, returns none. */
export async function countRows(
  table: DynamoTable,
  rows: Rows,
  max = Number.POSITIVE_INFINITY,
): Promise<number> {
  const { count } = await passOver(table, rows, max);
  return count;
}

/** The keys of an index's rows after the first `skip`, which are read but not returned. */
export async function queryKeys(
  table: DynamoTable,
  rows: Rows,
  page: { readonly skip: number; readonly limit: number },
): Promise<readonly Key[]> {
  const items = await queryPage(table, rows, page);
  return items.map(keyOfItem);
}

/** The rows after the first `skip`. @param isEnough as for `queryItems`. */
export async function queryPage(
  table: DynamoTable,
  rows: Rows,
  { skip, limit }: { readonly skip: number; readonly limit: number },
  isEnough?: (items: readonly Item[]) => boolean,
): Promise<readonly Item[]> {
  const skipped = skip === 0 ? undefined : await passOver(table, rows, skip);
  if (skipped && skipped.next === undefined) return [];
  return await readOn(table, rows, limit, skipped?.next, isEnough);
}

type Position = Record<string, AttributeValue> | undefined;

async function readOn(
  table: DynamoTable,
  rows: Rows,
  max: number,
  start: Position,
  isEnough: (items: readonly Item[]) => boolean = () => false,
): Promise<Item[]> {
  const items: Item[] = [];
  if (isEmpty(rows)) return items;
  for (let next = start; ; ) {
    const left = max - items.length;
    const output = await table.queryPage({ ...queryInput(rows), ...limitInput(left), ...startInput(next) });
    for (const attributes of output.Items ?? []) items.push(fromAttributes(attributes));
    next = output.LastEvaluatedKey;
    if (next === undefined || items.length >= max || isEnough(items)) return items;
  }
}

async function passOver(table: DynamoTable, rows: Rows, max: number) {
  let count = 0;
  if (isEmpty(rows)) return { count, next: undefined };
  for (let next: Position; ; ) {
    const output = await table.queryPage({
      ...queryInput(rows),
      ...limitInput(max - count),
      ...startInput(next),
      Select: "COUNT",
    });
    count += output.Count ?? 0;
    next = output.LastEvaluatedKey;
    if (next === undefined || count >= max) return { count, next };
  }
}

/** DynamoDB refuses a range whose start is above its end. */
function isEmpty({ from, to }: Rows): boolean {
  return from !== undefined && to !== undefined && from > to;
}

function queryInput(rows: Rows) {
  const prefix = rows.index === undefined ? "" : `${rows.index}_`;
  const bounds = boundsOf(rows);
  return {
    ...(rows.index === undefined ? { ConsistentRead: true } : { IndexName: rows.index }),
    KeyConditionExpression: `#pk = :pk${bounds.expression}`,
    ExpressionAttributeNames: {
      "#pk": `${prefix}pk`,
      ...(bounds.expression === "" ? {} : { "#sk": `${prefix}sk` }),
    },
    ExpressionAttributeValues: toAttributes({ ":pk": rows.partition, ...bounds.values }),
    ScanIndexForward: rows.isDescending !== true,
  };
}

function boundsOf({ from, to, after }: Rows): { readonly expression: string; readonly values: Item } {
  if (after !== undefined) return { expression: " AND #sk > :after", values: { ":after": after } };
  if (from !== undefined && to !== undefined) {
    return { expression: " AND #sk BETWEEN :from AND :to", values: { ":from": from, ":to": to } };
  }
  if (from !== undefined) return { expression: " AND #sk >= :from", values: { ":from": from } };
  if (to !== undefined) return { expression: " AND #sk <= :to", values: { ":to": to } };
  return { expression: "", values: {} };
}

/**
 * More rows than fit into 1 MB, so that DynamoDB's own pages stay as they are. DynamoDB Local, though, collects all
 * remaining rows, up to the limit, for every page.
 */
const pageRowsMax = 10_000;

function limitInput(max: number) {
  return { Limit: Math.min(max, pageRowsMax) };
}

function startInput(next: Position) {
  return next === undefined ? {} : { ExclusiveStartKey: next };
}

/** Bounds of the sort keys of what was created within the range. */
export function createdWithin({ createdAtFrom, createdAtTo }: CreatedRange) {
  const { fromMs, toMs } = timestampRange(createdAtFrom, createdAtTo);
  return createdRange(fromMs, toMs);
}

/** Whether a stored timestamp is in the range, both ends included. */
export function isWithin(timestamp: unknown, from: string | undefined, to: string | undefined): boolean {
  const ms = Date.parse(String(timestamp));
  const { fromMs = 0, toMs = Number.MAX_SAFE_INTEGER } = timestampRange(from, to);
  return ms >= fromMs && ms <= toMs;
}

/** The whole milliseconds of a time range, both ends included; undefined where it is open. */
export interface TimestampRange {
  readonly fromMs: number | undefined;
  readonly toMs: number | undefined;
}

/**
 * Parses the ends of a range given as ISO 8601. All stored timestamps are in milliseconds, so a start with a finer
 * fraction is rounded up.
 *
 * @throws {RangeError} for a text that is no timestamp, which the contract refuses before.
 */
function timestampRange(from: string | undefined, to: string | undefined): TimestampRange {
  const isBetween = from !== undefined && /\.\d{3}\d*[1-9]/.test(from);
  return {
    fromMs: from === undefined ? undefined : parseTimestamp(from) + (isBetween ? 1 : 0),
    toMs: to === undefined ? undefined : parseTimestamp(to),
  };
}

function parseTimestamp(text: string): number {
  // Date.parse takes any number of digits and cuts them to milliseconds.
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) throw new RangeError("a timestamp must be ISO 8601");
  return ms;
}
