import { DomainError } from "../../domain/errors.ts";
import { batchKeysMax, heavyPageBytesMax } from "../../vocabulary/table.ts";
import type { DynamoTable } from "../table/dynamo-table.ts";
import type { Item, Key } from "../table/item.ts";

/** A page too large for a response is detected before it is in memory. @throws {DomainError} `answer_too_large` */
export async function readWithin(
  table: DynamoTable,
  keys: readonly Key[],
  bytesMax = heavyPageBytesMax,
): Promise<readonly Item[]> {
  const items: Item[] = [];
  let bytes = 0;
  for (let start = 0; start < keys.length; start += batchKeysMax) {
    const some = await table.batchGet(keys.slice(start, start + batchKeysMax));
    bytes += bytesOf(some);
    if (bytes > bytesMax) throw pageTooLarge(bytesMax);
    items.push(...some);
  }
  return items;
}

export function pageTooLarge(bytesMax = heavyPageBytesMax): DomainError {
  return new DomainError(
    "answer_too_large",
    `the page has more than ${bytesMax} bytes; request fewer with a lower limit`,
    { details: { bytes_max: bytesMax } },
  );
}

export function isTooLarge(items: readonly Item[]): boolean {
  return bytesOf(items) > heavyPageBytesMax;
}

function bytesOf(items: readonly Item[]): number {
  return items.reduce((sum, item) => sum + textBytes(item), 0);
}

/** Only the texts of an item can be heavy. */
export function textBytes(item: Item): number {
  return Object.values(item).reduce(
    (sum: number, value) => sum + (typeof value === "string" ? Buffer.byteLength(value) : 0),
    0,
  );
}
