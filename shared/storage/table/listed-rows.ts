import { DomainError } from "../../domain/errors.ts";
import type { IndexName } from "../../vocabulary/table.ts";
import type { DynamoTable } from "./dynamo-table.ts";
import type { Item } from "./item.ts";
import { countRows, queryPage, type Rows, readRows } from "./query.ts";

/** Rows of one index, newest first. With several partitions, each entity has at most one row in all of them. */
export interface ListedRows {
  readonly index: IndexName;
  readonly partitions: readonly string[];
  /** The rows lie beside the entities that they list. @default false */
  readonly isBeside?: boolean;
  /** Both ends are included. */
  readonly from?: string;
  readonly to?: string;
}

/** @param given has the indexes in order, those first that usually leave the fewest rows; one of them at least is given. */
export function narrowestIndex(
  given: { readonly [Index in IndexName]?: readonly string[] | undefined },
): Pick<ListedRows, "index" | "partitions"> {
  for (const [index, partitions] of Object.entries(given)) {
    if (partitions !== undefined) return { index: index as IndexName, partitions };
  }
  throw new Error("a list has an index");
}

interface Wanted {
  readonly skip: number;
  readonly limit: number;
}

/**
 * Makes one query for one partition. Several are read side by side, about as far as the page reaches.
 *
 * @throws {DomainError} `search_too_broad` for several with a `skip` above 10,000.
 */
export async function queryListed(
  table: DynamoTable,
  rows: ListedRows,
  { skip, limit }: Wanted,
): Promise<readonly Item[]> {
  const each = rowsOfEach(rows);
  const [only, ...others] = each;
  if (only === undefined) return [];
  if (others.length === 0) return await queryPage(table, only, { skip, limit });
  if (skip > mergedSkipMax) throw skipsTooMany();
  const end = skip + limit;
  const found: Item[] = [];
  let passed = 0;
  const atOnce = Math.max(rowsAtOnceMin, Math.ceil((2 * end) / each.length));
  for await (const item of merged(table, rows, atOnce)) {
    passed += 1;
    if (passed > skip) found.push(item);
    if (passed === end) break;
  }
  return found;
}

/** Makes one query for each partition. */
export async function countListed(table: DynamoTable, rows: ListedRows): Promise<number> {
  const counts = await Promise.all(rowsOfEach(rows).map((each) => countRows(table, each)));
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Leaves the rows behind a sort key, which has a hexadecimal digit last. */
export function rowsBehind<R extends ListedRows>(rows: R, sortKey: string): R {
  const last = String.fromCharCode(sortKey.charCodeAt(sortKey.length - 1) - 1);
  const to = sortKey.slice(0, -1) + last;
  return rows.to !== undefined && rows.to < to ? rows : { ...rows, to };
}

const rowsAtOnceMin = 100;

/** Rows of several partitions are passed over one by one. */
const mergedSkipMax = 10_000;

function skipsTooMany(): DomainError {
  return new DomainError(
    "search_too_broad",
    `with several values of a filter, skip is at most ${mergedSkipMax}: use after where the list takes it, or fewer values`,
    { details: { skip_max: mergedSkipMax } },
  );
}

/** Returns the sort key that the row has in its index. */
export function sortKeyIn(row: Item, { index }: Pick<ListedRows, "index">): string {
  return String(row[`${index}_sk`]);
}

function rowsOfEach({ partitions, isBeside: _, ...rows }: ListedRows): readonly Rows[] {
  return partitions.map((partition) => ({ ...rows, partition, isDescending: true }));
}

async function* merged(table: DynamoTable, rows: ListedRows, atOnce: number): AsyncGenerator<Item> {
  const readers = rowsOfEach(rows).map((each) => readRows(table, each, atOnce));
  const heads = await Promise.all(readers.map((reader) => reader.next()));
  let last: unknown;
  for (;;) {
    const [newest] = [...heads.entries()]
      .flatMap(([place, head]) => (head.done ? [] : [{ place, item: head.value }]))
      .toSorted((one, other) => (sortKeyIn(one.item, rows) < sortKeyIn(other.item, rows) ? 1 : -1));
    if (newest === undefined) return;
    // The index is eventually consistent, so that a change of status may show in two partitions.
    if (newest.item.pk !== last) yield newest.item;
    last = newest.item.pk;
    const reader = readers[newest.place];
    if (reader) heads[newest.place] = await reader.next();
  }
}
