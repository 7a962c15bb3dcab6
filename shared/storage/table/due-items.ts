import type { DynamoTable } from "./dynamo-table.ts";
import { createdRange, type DueListing, duePartitions } from "./index-keys.ts";
import { type Item, keyOfItem } from "./item.ts";
import { queryItems } from "./query.ts";

/** The sweeper reads all listings at the same time, over 50 connections. */
const shardsAtOnce = 4;

export interface DuePage {
  readonly untilMs?: number;
  readonly limit: number;
  readonly shard?: number | undefined;
  readonly attributes?: readonly string[];
}

/** The index is eventually consistent, so some items may not be due any more. */
export async function readDue(
  table: DynamoTable,
  listing: DueListing,
  { untilMs, limit, shard, attributes }: DuePage,
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
  const keys = rows
    .map((row) => ({ ...keyOfItem(row), due: String(row.due_sk) }))
    .sort((one, other) => (one.due < other.due ? -1 : 1))
    .slice(0, limit);
  return await table.batchGet(keys, attributes);
}
