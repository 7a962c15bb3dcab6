import type { OrganizationId } from "../../domain/access/organization-id.ts";
import type { Clock } from "../../domain/clock.ts";
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
import type { DynamoTable, StoreDeps } from "../table/dynamo-table.ts";
import { isNew } from "../table/expression.ts";
import { attributesOf } from "../table/index-attributes.ts";
import { poolKey, poolNameKey } from "../table/keys.ts";
import { markDeleted } from "../table/mark-deleted.ts";
import { transactIdempotent } from "../table/transact-idempotent.ts";
import { parsePool, poolItem } from "./pool-item.ts";
import { queryPools } from "./pool-list.ts";
import { isHeld, isNameFree, isNameOf, nameItem, updatePoolRow } from "./pool-update.ts";

export interface DynamoPoolStoreOptions extends StoreDeps {
  /** Index rows that a search may read. @default 10_000 */
  readonly searchRowsMax?: number;
}

export class DynamoPoolStore implements PoolStore {
  readonly #deps: StoreDeps;
  readonly #table: DynamoTable;
  readonly #clock: Pick<Clock, "now">;
  readonly #searchRowsMax: number;

  constructor({ table, clock, searchRowsMax = 10_000 }: DynamoPoolStoreOptions) {
    this.#deps = { table, clock };
    this.#table = table;
    this.#clock = clock;
    this.#searchRowsMax = searchRowsMax;
  }

  async find(organizationId: OrganizationId, poolId: string): Promise<Pool | undefined> {
    const pool = await this.#read(organizationId, poolId);
    return pool?.deletedAt === null ? pool : undefined;
  }

  async findMany(organizationId: OrganizationId, poolIds: readonly string[]): Promise<readonly Pool[]> {
    const items = await this.#table.batchGet(poolIds.map((poolId) => poolKey(organizationId, poolId)));
    return items.map(parsePool).filter((pool) => pool.deletedAt === null);
  }

  /** The name row of a deleted pool may still exist: it counts as free and is replaced. */
  async create(pool: Pool, idempotency?: Idempotency): Promise<CreatePoolOutcome> {
    const holder = await this.#tryCreate(pool, idempotency, undefined);
    if (holder === undefined) return { kind: "created" };
    if (await isHeld(this.#table, pool.organizationId, holder)) return { kind: "name_taken", poolId: holder };
    const next = await this.#tryCreate(pool, idempotency, holder);
    return next === undefined ? { kind: "created" } : { kind: "name_taken", poolId: next };
  }

  /** Returns the id of the pool that has the name; undefined when this one was created. */
  async #tryCreate(pool: Pool, idempotency: Idempotency | undefined, deletedHolder: string | undefined) {
    const { organizationId, id, name } = pool;
    const outcome = await transactIdempotent(
      this.#table,
      [
        { kind: "put", item: nameItem(organizationId, name, id), condition: isNameFree(deletedHolder) },
        { kind: "put", item: poolItem(pool), condition: isNew },
        countWrite("POOL", pool, 1),
      ],
      { idempotency, result: pool, nowMs: this.#clock.now() },
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
    return await updatePoolRow(this.#deps, { organizationId, poolId, change, options });
  }

  /** The name row stays until `remove` and counts as free: deleting it here would cost each deletion a read. */
  async markDeleted(
    organizationId: OrganizationId,
    poolId: string,
    deletedAt: string,
    idempotency?: Idempotency,
  ): Promise<boolean> {
    return await markDeleted(this.#deps, {
      ...{ key: poolKey(organizationId, poolId), kind: "pool" },
      ...{ counted: "POOL", organizationId, id: poolId, deletedAt, idempotency },
      remove: attributesOf("list"),
    });
  }

  async list(organizationId: OrganizationId, filter: PoolFilter, page: PageRequest): Promise<Page<Pool>> {
    return await queryPools(this.#table, organizationId, filter, page, this.#searchRowsMax);
  }

  async findDeleted(organizationId: OrganizationId, poolId: string): Promise<Pool | undefined> {
    const pool = await this.#read(organizationId, poolId);
    return pool && pool.deletedAt !== null ? pool : undefined;
  }

  async remove(organizationId: OrganizationId, poolId: string): Promise<void> {
    const pool = await this.findDeleted(organizationId, poolId);
    if (!pool) return;
    // The row that points at the pool goes first: after an interruption the pool is still due.
    await this.#table.delete(poolNameKey(organizationId, pool.name), isNameOf(poolId));
    await this.#table.delete(poolKey(organizationId, poolId), {
      expression: "attribute_exists(deleted_at)",
    });
  }

  async #read(organizationId: OrganizationId, poolId: string): Promise<Pool | undefined> {
    const item = await this.#table.get(poolKey(organizationId, poolId));
    return item && parsePool(item);
  }
}
