import type { OrganizationId } from "../../domain/access/organization-id.ts";
import type { QueueEntry } from "../../domain/matching/queue-entry.ts";
import type { Target } from "../../domain/matching/target.ts";
import type { DynamoTable } from "../table/dynamo-table.ts";
import { queuePartition, queueRange } from "../table/keys.ts";
import { queryItems } from "../table/query.ts";
import { parseQueueEntry } from "./queue-rows.ts";

/** The oldest of a queue, in order; strongly consistent, one query per 1 MB (some 3,000 entries). */
export async function readQueue(
  table: DynamoTable,
  organizationId: OrganizationId,
  target: Target,
  limit: number,
): Promise<readonly QueueEntry[]> {
  const rows = { partition: queuePartition(organizationId, target), ...queueRange };
  return (await queryItems(table, rows, limit)).map(parseQueueEntry);
}
