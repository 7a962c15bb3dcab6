import type { DynamoTable } from "./dynamo-table.ts";
import { createdRange, type DueListing, duePartitions } from "./index-keys.ts";
import { type Item, keyOfItem } from "./item.ts";
import { queryItems } from "./query.ts";

/** The sweeper reads all listings at the same time, over 50 connections. */
const shardsAtOnce = 4;

export interface DuePage {
  readonly untilMs?: number;
  /** @default all */
  readonly limit?: number;
  readonly shard?: number | undefined;
}

/** The index is eventually consistent, so some items may not be due any more. */
export async function readDue(
  table: DynamoTable,
  listing: DueListing,
  { attributes, ...page }: DuePage & { readonly attributes?: readonly string[] },
): Promise<readonly Item[]> {
  return await table.batchGet((await queryDue(table, listing, page)).map(keyOfItem), attributes);
}

/** Returns the rows of the index, earliest first. */
export async function queryDue(
  table: DynamoTable,
  listing: DueListing,
  { untilMs, limit, shard }: DuePage,
): Promise<readonly Item[]> {
  const bounds = createdRange(undefined, untilMs);
  const partitions = duePartitions(listing).filter((_, at) => shard === undefined || at === shard);
  const rows: Item[] = [];
  for (let start = 0; start < partitions.length; start += shardsAtOnce) {
    const some = partitions.slice(start, start + shardsAtOnce).map(async (partition) => {
      for (const row of await queryItems(table, { index: "due", partition, ...bounds }, limit))
        rows.push(row);
    });
    await Promise.all(some);
  }
  return rows.sort((one, other) => (String(one.due_sk) < String(other.due_sk) ? -1 : 1)).slice(0, limit);
}
