import type { OrganizationId } from "../../domain/organization-id.ts";
import type { Page, PageRequest } from "../../domain/page.ts";
import type { Trajectory } from "../../domain/trajectory/trajectory.ts";
import type { TrajectoryFilter } from "../../domain/trajectory/trajectory-store.ts";
import { hasText, listEntities } from "../entity/entity-list.ts";
import type { DynamoTable } from "../table/dynamo-table.ts";
import { filterPartitions, listPartitions } from "../table/index-keys.ts";
import type { Item } from "../table/item.ts";
import { createdWithin, isWithin, type Rows } from "../table/query.ts";
import { parseTrajectory, trajectoryRow } from "./trajectory-item.ts";

/** A search reads only these: the inputs alone may be 64 KB. */
const looked = [
  "id",
  "name",
  "description",
  "is_approved",
  "is_generated",
  "run_id",
  "updated_at",
  "deleted_at",
] as const;

/**
 * Both filters, and those that no index has, read the narrowest index row by row. @throws {DomainError}
 * `search_too_broad`
 */
export async function queryTrajectories(
  table: DynamoTable,
  organizationId: OrganizationId,
  filter: TrajectoryFilter,
  page: PageRequest,
  options: { readonly withData: boolean; readonly withScreens: boolean; readonly rowsMax: number },
): Promise<Page<Trajectory>> {
  const { workflowId, isApproved, createdAtFrom, createdAtTo } = filter;
  const isServed = !isRead(filter) && (workflowId === undefined || isApproved === undefined);
  const isWhole = [workflowId, isApproved, createdAtFrom, createdAtTo].every((given) => given === undefined);
  return await listEntities(
    table,
    {
      organizationId,
      rows: indexRows(organizationId, filter),
      counted: isServed && isWhole ? "TRAJECTORY" : undefined,
      attributes: trajectoryRow.attributes(
        ...(options.withData ? [] : (["data"] as const)),
        ...(options.withScreens ? [] : (["screens"] as const)),
      ),
      parse: parseTrajectory,
      isLiving: (trajectory) => trajectory.deletedAt === null,
      search: isServed
        ? undefined
        : {
            attributes: looked,
            isMatch: (item) => isMatch(item, filter),
            rowsMax: options.rowsMax,
            noun: "trajectories",
          },
    },
    page,
  );
}

/** No index has these fields. */
function isRead({ search, runId, isGenerated, updatedAtFrom, updatedAtTo }: TrajectoryFilter): boolean {
  return [search, runId, isGenerated, updatedAtFrom, updatedAtTo].some((given) => given !== undefined);
}

function indexRows(organizationId: OrganizationId, filter: TrajectoryFilter): Rows {
  const bounds = { ...createdWithin(filter), isDescending: true };
  const { workflowId, isApproved } = filter;
  if (workflowId !== undefined) {
    const partition = filterPartitions.trajectoriesByWorkflow(organizationId, workflowId);
    return { index: "filter1", partition, ...bounds };
  }
  if (isApproved !== undefined) {
    const partition = filterPartitions.trajectoriesByApproval(organizationId, isApproved);
    return { index: "filter2", partition, ...bounds };
  }
  return { index: "list", partition: listPartitions.trajectories(organizationId), ...bounds };
}

function isMatch(item: Item, filter: TrajectoryFilter): boolean {
  if (item.deleted_at !== undefined) return false;
  if (filter.isApproved !== undefined && item.is_approved !== filter.isApproved) return false;
  if (filter.runId !== undefined && item.run_id !== filter.runId) return false;
  const isGenerated = item.is_generated === true;
  if (filter.isGenerated !== undefined && isGenerated !== filter.isGenerated) return false;
  if (!isWithin(item.updated_at, filter.updatedAtFrom, filter.updatedAtTo)) return false;
  return hasText(item, ["id", "name", "description"], filter.search);
}
