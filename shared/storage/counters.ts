import type { DynamoTable } from "./dynamo-table.ts";
import type { Write } from "./expression.ts";
import { type Counted, counterKey, counterPartition } from "./keys.ts";
import { queryItems } from "./query.ts";

/** The part of a transaction that makes an entity count, or count no more. */
export function countWrite(
  counted: Counted,
  entity: { readonly organizationId: string; readonly id: string },
  by: 1 | -1,
): Write {
  const key = counterKey(entity.organizationId, counted, entity.id);
  return { kind: "update", key, change: { set: { kind: "counter" }, add: { count: by } } };
}

/** Exact at once: one strongly consistent query over at most 16 small rows. */
export async function readCount(
  table: DynamoTable,
  organizationId: string,
  counted: Counted,
): Promise<number> {
  const shards = await queryItems(table, { partition: counterPartition(organizationId, counted) });
  return shards.reduce((sum, shard) => sum + Number(shard.count ?? 0), 0);
}
