import { timestampOfId } from "../../shared/domain/derive-id.ts";
import { type OrganizationId, organizationIdOf } from "../../shared/domain/organization-id.ts";
import type { DynamoTable } from "../../shared/storage/table/dynamo-table.ts";
import { createdRange, duePartition } from "../../shared/storage/table/index-keys.ts";
import { runKey } from "../../shared/storage/table/keys.ts";
import { readRows } from "../../shared/storage/table/query.ts";

/** A run is in one of these listings while it waits, while the service carries it out, and once it has ended. */
const listings = ["WAITING#RUN", "OPEN#EXECUTION", "ENDED#RUN_SECRET", "ENDED#RUN"] as const;

/**
 * Keys begin with the organization, which a run's id does not name; the index that the sweeper reads has the run by its
 * last digit. A run that a worker carries out is not in it.
 */
export async function findOrganizationOf(
  table: DynamoTable,
  runId: string,
): Promise<OrganizationId | undefined> {
  // Nothing is due before its run was created, at the time in its id.
  const bounds = createdRange(timestampOfId(runId), undefined);
  for (const listing of listings) {
    const partition = duePartition(listing, runId);
    for await (const { pk } of readRows(table, { index: "due", partition, ...bounds })) {
      const [, organization = ""] = String(pk).split("#");
      const organizationId = organizationIdOf(decodeURIComponent(organization));
      if (runKey(organizationId, runId).pk === pk) return organizationId;
    }
  }
  return undefined;
}
