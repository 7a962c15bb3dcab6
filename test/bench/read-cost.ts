import type { Item } from "../../shared/storage/table/item.ts";

/**
 * The cost of reading rows of an index in DynamoDB, computed from their size. DynamoDB Local cannot measure it: for the
 * 1 MB of a page it counts the whole item behind each row.
 */
export interface ReadCost {
  readonly queries: number;
  /** Read units of eventually consistent reads, as those of an index are. */
  readonly units: number;
}

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Query.Pagination.html */
const pageBytes = 2 ** 20;
/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html */
const unitBytes = 4_096;

export function indexReadCost(rows: number, rowBytes: number): ReadCost {
  const rowsOfPage = Math.floor(pageBytes / rowBytes);
  let units = 0;
  let queries = 0;
  for (let left = rows; left > 0 || queries === 0; left -= rowsOfPage) {
    queries += 1;
    units += Math.max(Math.ceil((Math.min(left, rowsOfPage) * rowBytes) / unitBytes), 1) / 2;
  }
  return { queries, units };
}

/**
 * A row of an index with keys alone: its own key and the item's.
 *
 * Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html
 */
export function indexRowBytes(item: Item, index: string): number {
  return ["pk", "sk", `${index}_pk`, `${index}_sk`].reduce(
    (bytes, name) => bytes + Buffer.byteLength(name) + Buffer.byteLength(String(item[name])),
    0,
  );
}
