import type { DynamoTable } from "./dynamo-table.ts";
import type { Item } from "./item.ts";
import { createdRange, type DueListing, duePartitions } from "./keys.ts";
import { queryItems } from "./query.ts";

/** The sweeper reads all listings in the same moment, over 50 connections. */
const shardsAtOnce = 4;

export interface DuePage {
  /** @default whenever it is due */
  readonly untilMs?: number;
  readonly limit: number;
  /** @default all */
  readonly attributes?: readonly string[];
}

/**
 * What has been due the longest, of all organizations: the keys of each shard, then the items that come first
 * of all. The index is a moment late, so that some may not be due any more.
 */
export async function readDue(
  table: DynamoTable,
  listing: DueListing,
  { untilMs, limit, attributes }: DuePage,
): Promise<readonly Item[]> {
  const bounds = createdRange(undefined, untilMs);
  const partitions = duePartitions(listing);
  const rows: Item[] = [];
  for (let start = 0; start < partitions.length; start += shardsAtOnce) {
    const some = partitions.slice(start, start + shardsAtOnce).map(async (partition) => {
      for (const row of await queryItems(table, { index: "due", partition, ...bounds }, limit))
        rows.push(row);
    });
    await Promise.all(some);
  }
  const keys = rows
    .map(({ pk, sk, due_sk: due }) => ({ pk: String(pk), sk: String(sk), due: String(due) }))
    .sort((one, other) => (one.due < other.due ? -1 : 1))
    .slice(0, limit);
  return await table.batchGet(keys, attributes);
}
