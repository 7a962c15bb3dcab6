import type { OrganizationId } from "../../domain/organization-id.ts";
import type { Page, PageRequest } from "../../domain/page.ts";
import type { Pool } from "../../domain/pool/pool.ts";
import type { PoolFilter } from "../../domain/pool/pool-store.ts";
import { hasText, listEntities } from "../entity/entity-list.ts";
import type { DynamoTable } from "../table/dynamo-table.ts";
import { listPartitions } from "../table/index-keys.ts";
import type { Item } from "../table/item.ts";
import { createdWithin } from "../table/query.ts";
import { parsePool } from "./pool-item.ts";

/** A search reads only these: the parameters alone may be 64 KB. */
const searched = ["id", "name", "description", "deleted_at"] as const;

/** @throws {DomainError} `search_too_broad` */
export async function queryPools(
  table: DynamoTable,
  organizationId: OrganizationId,
  filter: PoolFilter,
  page: PageRequest,
  rowsMax: number,
): Promise<Page<Pool>> {
  const { search, createdAtFrom, createdAtTo } = filter;
  const question = {
    organizationId,
    rows: {
      index: "list" as const,
      partition: listPartitions.pools(organizationId),
      ...createdWithin(filter),
      isDescending: true,
    },
    counted: createdAtFrom === undefined && createdAtTo === undefined ? ("POOL" as const) : undefined,
    parse: parsePool,
    isLiving: (pool: Pool) => pool.deletedAt === null,
    search:
      search === undefined
        ? undefined
        : {
            attributes: searched,
            isMatch: (item: Item) =>
              item.deleted_at === undefined && hasText(item, ["id", "name", "description"], search),
            rowsMax,
            noun: "pools",
          },
  };
  return await listEntities(table, question, page);
}
