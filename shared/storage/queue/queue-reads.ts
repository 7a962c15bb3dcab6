import type { OrganizationId } from "../../domain/organization-id.ts";
import type { QueueEntry } from "../../domain/run/waiting/queue-entry.ts";
import type { Target } from "../../domain/run/waiting/target.ts";
import type { DynamoTable } from "../table/dynamo-table.ts";
import type { Item } from "../table/item.ts";
import { queuePartition, queueRange } from "../table/keys.ts";
import { queryItems } from "../table/query.ts";
import { entryKey } from "./queue-rows.ts";

/** One query reads 1 MB, some 3,000 entries. */
export async function readQueue(
  table: DynamoTable,
  organizationId: OrganizationId,
  {
    target,
    limit,
    after,
  }: { readonly target: Target; readonly limit: number; readonly after?: QueueEntry | undefined },
): Promise<readonly Item[]> {
  const partition = queuePartition(organizationId, target);
  // The range starts at the smallest sort key above that one.
  const from = after === undefined ? queueRange.from : `${entryKey(after).sk}\u0001`;
  return await queryItems(table, { ...queueRange, partition, from }, limit);
}
