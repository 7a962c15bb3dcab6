import type { OrganizationId } from "../../domain/access/organization-id.ts";
import type { IdlePage } from "../../domain/matching/match-store.ts";
import type { DynamoTable } from "../table/dynamo-table.ts";
import { fromAttributes, toAttributes } from "../table/item.ts";
import { idlePartition } from "../table/keys.ts";
import { parseIdle } from "./queue-rows.ts";

/** Few, since most waiting runs need one machine; more where a filter will drop some. */
const rowsOfPage = { unfiltered: 16, filtered: 256 } as const;

/** A page of idle rows of machines that are in all of the pools; it may be empty without being the last. */
export async function readIdlePage(
  table: DynamoTable,
  organizationId: OrganizationId,
  poolIds: readonly string[],
  after: string | undefined,
): Promise<IdlePage> {
  const partition = idlePartition(organizationId);
  const isFiltered = poolIds.length > 0;
  const wanted = poolIds.map((poolId, index) => [`:pool${index}`, poolId] as const);
  const output = await table.queryPage({
    ConsistentRead: true,
    KeyConditionExpression: "#pk = :pk",
    ExpressionAttributeNames: { "#pk": "pk", ...(isFiltered ? { "#pools": "pool_ids" } : {}) },
    ExpressionAttributeValues: toAttributes({ ":pk": partition, ...Object.fromEntries(wanted) }),
    ...(isFiltered
      ? { FilterExpression: wanted.map(([name]) => `contains(#pools, ${name})`).join(" AND ") }
      : {}),
    Limit: isFiltered ? rowsOfPage.filtered : rowsOfPage.unfiltered,
    ...(after === undefined ? {} : { ExclusiveStartKey: toAttributes({ pk: partition, sk: after }) }),
  });
  const last = output.LastEvaluatedKey;
  return {
    machines: (output.Items ?? []).map((attributes) => parseIdle(fromAttributes(attributes))),
    next: last && String(fromAttributes(last).sk),
  };
}
