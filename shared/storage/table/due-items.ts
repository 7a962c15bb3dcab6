import type { DynamoTable } from "./dynamo-table.ts";
import type { Item } from "./item.ts";
import { createdRange, type DueListing, duePartitions } from "./keys.ts";
import { queryItems } from "./query.ts";

export interface DuePage {
  /** @default whenever it is due */
  readonly untilMs?: number;
  readonly limit: number;
  /** @default all */
  readonly attributes?: readonly string[];
}

/**
 * What has been due the longest, of all organizations: the keys of each shard side by side, then the items that come
 * first of all. The index is a moment late, so that some may not be due any more.
 */
export async function readDue(
  table: DynamoTable,
  listing: DueListing,
  { untilMs, limit, attributes }: DuePage,
): Promise<readonly Item[]> {
  const bounds = createdRange(undefined, untilMs);
  const shards = await Promise.all(
    duePartitions(listing).map((partition) =>
      queryItems(table, { index: "due", partition, ...bounds }, limit),
    ),
  );
  const keys = shards
    .flat()
    .map(({ pk, sk, due_sk: due }) => ({ pk: String(pk), sk: String(sk), due: String(due) }))
    .sort((one, other) => (one.due < other.due ? -1 : 1))
    .slice(0, limit);
  return await table.batchGet(keys, attributes);
}
