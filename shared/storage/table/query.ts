import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import type { CreatedRange } from "../../domain/page.ts";
import type { IndexName } from "../../vocabulary/table.ts";
import type { DynamoTable } from "./dynamo-table.ts";
import { createdRange } from "./index-keys.ts";
import { fromAttributes, type Item, type Key, keyOfItem, toAttributes } from "./item.ts";

/** The base table is read strongly consistently; an index, which has keys only, eventually. */
export interface Rows {
  readonly index?: IndexName;
  readonly partition: string;
  /** Both ends are included. */
  readonly from?: string;
  readonly to?: string;
  /** The rows begin above this sort key, which only the base table accepts. */
  readonly after?: string;
  readonly isDescending?: boolean;
}

/** @param isEnough is called after each page of 1 MB; true ends the read. */
export async function queryItems(
  table: DynamoTable,
  rows: Rows,
  max = Number.POSITIVE_INFINITY,
  isEnough: (items: readonly Item[]) => boolean = () => false,
): Promise<Item[]> {
  return await readOn(table, rows, max, undefined, isEnough);
}

/** Reads on as long as its caller does. @param atOnce is the number of rows of one query, at most 1 MB */
export async function* readRows(table: DynamoTable, rows: Rows, atOnce = pageRowsMax): AsyncGenerator<Item> {
  if (isEmpty(rows)) return;
  let next: Position;
  do {
    const output = await table.queryPage({ ...queryInput(rows), ...limitInput(atOnce), ...startInput(next) });
    for (const attributes of output.Items ?? []) yield fromAttributes(attributes);
    next = output.LastEvaluatedKey;
  } while (next !== undefined);
}

export async function countRows(
  table: DynamoTable,
  rows: Rows,
  max = Number.POSITIVE_INFINITY,
): Promise<number> {
  const { count } = await passOver(table, rows, max);
  return count;
}

/** The first `skip` rows are read but not returned. */
export async function queryKeys(
  table: DynamoTable,
  rows: Rows,
  page: { readonly skip: number; readonly limit: number },
): Promise<readonly Key[]> {
  const items = await queryPage(table, rows, page);
  return items.map(keyOfItem);
}

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
  const bounds = sortKeyBounds(rows);
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

function sortKeyBounds({ from, to, after }: Rows): { readonly expression: string; readonly values: Item } {
  if (after !== undefined) return { expression: " AND #sk > :after", values: { ":after": after } };
  if (from !== undefined && to !== undefined) {
    return { expression: " AND #sk BETWEEN :from AND :to", values: { ":from": from, ":to": to } };
  }
  if (from !== undefined) return { expression: " AND #sk >= :from", values: { ":from": from } };
  if (to !== undefined) return { expression: " AND #sk <= :to", values: { ":to": to } };
  return { expression: "", values: {} };
}

/** DynamoDB's own pages of 1 MB have fewer rows; DynamoDB Local collects up to the limit for every page. */
const pageRowsMax = 10_000;

function limitInput(max: number) {
  return { Limit: Math.min(max, pageRowsMax) };
}

function startInput(next: Position) {
  return next === undefined ? {} : { ExclusiveStartKey: next };
}

export function createdWithin({ createdAtFrom, createdAtTo }: CreatedRange) {
  const { fromMs, toMs } = timestampRange(createdAtFrom, createdAtTo);
  return createdRange(fromMs, toMs);
}

/** Both ends are included. */
export function isWithin(timestamp: unknown, from: string | undefined, to: string | undefined): boolean {
  const ms = Date.parse(String(timestamp));
  const { fromMs = 0, toMs = Number.MAX_SAFE_INTEGER } = timestampRange(from, to);
  return ms >= fromMs && ms <= toMs;
}

export interface TimestampRange {
  readonly fromMs: number | undefined;
  readonly toMs: number | undefined;
}

/** Stored timestamps are in milliseconds, so a start with a finer fraction is rounded up. */
export function timestampRange(from: string | undefined, to: string | undefined): TimestampRange {
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
