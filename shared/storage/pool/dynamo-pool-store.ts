import type { OrganizationId } from "../../domain/access/organization-id.ts";
import type { Idempotency } from "../../domain/idempotency/idempotency.ts";
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
import { countWrite } from "../table/counters.ts";
import { DynamoEntityStore } from "../table/dynamo-entity-store.ts";
import { isNew } from "../table/expression.ts";
import { attributesOf } from "../table/index-attributes.ts";
import { poolKey, poolNameKey } from "../table/keys.ts";
import { transactIdempotent } from "../table/transact-idempotent.ts";
import { parsePool, poolItem } from "./pool-item.ts";
import { queryPools } from "./pool-list.ts";
import { isHeld, isNameFree, isNameOf, nameItem, updatePoolRow } from "./pool-update.ts";

export class DynamoPoolStore extends DynamoEntityStore<Pool> implements PoolStore {
  protected readonly kind = "pool";
  protected readonly counted = "POOL";
  protected readonly listed = attributesOf("list");
  protected readonly key = poolKey;
  protected readonly parse = parsePool;

  /** The name row of a deleted pool may still exist: it counts as free and is replaced. */
  async create(pool: Pool, idempotency?: Idempotency): Promise<CreatePoolOutcome> {
    const holder = await this.#tryCreate(pool, idempotency, undefined);
    if (holder === undefined) return { kind: "created" };
    if (await isHeld(this.table, pool.organizationId, holder)) return { kind: "name_taken", poolId: holder };
    const next = await this.#tryCreate(pool, idempotency, holder);
    return next === undefined ? { kind: "created" } : { kind: "name_taken", poolId: next };
  }

  /** Returns the id of the pool that has the name; undefined when this one was created. */
  async #tryCreate(pool: Pool, idempotency: Idempotency | undefined, deletedHolder: string | undefined) {
    const { organizationId, id, name } = pool;
    const outcome = await transactIdempotent(
      this.table,
      [
        { kind: "put", item: nameItem(organizationId, name, id), condition: isNameFree(deletedHolder) },
        { kind: "put", item: poolItem(pool), condition: isNew },
        countWrite("POOL", pool, 1),
      ],
      { idempotency, result: pool, nowMs: this.deps.clock.now() },
    );
    if (outcome.kind === "written") return undefined;
    const row = outcome.failed.get(0);
    if (row) return String(row.pool_id);
    throw new Error("a pool with this id is there already");
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

  /** The name row stays until here and counts as free: marking as deleted would need a read for it. */
  async remove(organizationId: OrganizationId, poolId: string): Promise<void> {
    const pool = await this.findDeleted(organizationId, poolId);
    if (!pool) return;
    // The row that points at the pool goes first: after an interruption the pool is still due.
    await this.table.delete(poolNameKey(organizationId, pool.name), isNameOf(poolId));
    await this.removeRow(organizationId, poolId);
  }
}
