import type { Idempotency } from "../../domain/idempotency/idempotency.ts";
import type { OrganizationId } from "../../domain/organization-id.ts";
import type { Page, PageRequest } from "../../domain/page.ts";
import type { Pool } from "../../domain/pool/pool.ts";
import type {
  CreatePoolOutcome,
  PoolChange,
  PoolFilter,
  PoolStore,
  UpdatePoolOptions,
  UpdatePoolOutcome,
} from "../../domain/pool/pool-store.ts";
import { DynamoEntityStore } from "../entity/dynamo-entity-store.ts";
import { attributesOf } from "../table/index-attributes.ts";
import { nameKey, poolKey } from "../table/keys.ts";
import { parsePool, poolItem } from "./pool-item.ts";
import { queryPools } from "./pool-list.ts";
import { isNameOf, nameRow, updatePoolRow } from "./pool-update.ts";

export class DynamoPoolStore extends DynamoEntityStore<Pool> implements PoolStore {
  protected readonly kind = "pool";
  protected readonly counted = "POOL";
  protected readonly listed = attributesOf("list");
  protected readonly key = poolKey;
  protected readonly parse = parsePool;

  async create(pool: Pool, idempotency?: Idempotency): Promise<CreatePoolOutcome> {
    const holder = await this.createUnique(pool, poolItem(pool), nameRow(pool), idempotency);
    return holder === undefined ? { kind: "created" } : { kind: "name_taken", poolId: holder };
  }

  async update(
    organizationId: OrganizationId,
    poolId: string,
    change: PoolChange,
    options: UpdatePoolOptions = {},
  ): Promise<UpdatePoolOutcome> {
    return await updatePoolRow(this.deps, { organizationId, poolId, change, options });
  }

  async list(organizationId: OrganizationId, filter: PoolFilter, page: PageRequest): Promise<Page<Pool>> {
    return await queryPools(this.table, organizationId, filter, page, this.searchRowsMax);
  }

  /** The name row counts as free until here: marking as deleted would need a read for it. */
  async remove(organizationId: OrganizationId, poolId: string): Promise<void> {
    const pool = await this.findDeleted(organizationId, poolId);
    if (!pool) return;
    // This row goes first: after an interruption the pool is still due.
    await this.table.delete(nameKey(organizationId, "POOL", pool.name), isNameOf(poolId));
    await this.removeRow(organizationId, poolId);
  }
}
