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
import { hasText, listEntities } from "../entity/entity-list.ts";
import { isUnheld, type UniqueRow } from "../entity/unique-row.ts";
import { updateEntity } from "../entity/update-entity.ts";
import { counting } from "../table/counters.ts";
import { allOf, type Condition, hasValue, living, put, remove } from "../table/expression.ts";
import { attributesOf, listPartitions } from "../table/index-keys.ts";
import type { Item } from "../table/item.ts";
import { nameKey, poolKey } from "../table/keys.ts";
import { createdWithin } from "../table/query.ts";
import type { Parts } from "../table/transaction.ts";
import { parsePool, poolItem, poolRow } from "./pool-item.ts";

/** A search reads only these: the parameters alone may be 64 KB. */
const searched = ["id", "name", "description", "deleted_at"] as const;

type PoolRefusal = Exclude<UpdatePoolOutcome, { readonly kind: "updated" }>;
type RenamePart = "name" | "freedName";

export class DynamoPoolStore extends DynamoEntityStore<Pool> implements PoolStore {
  protected readonly kind = "pool";
  protected readonly count = counting("POOL");
  protected readonly listed = attributesOf("list");
  protected readonly key = poolKey;
  protected readonly parse = parsePool;

  async create(pool: Pool, idempotency?: Idempotency): Promise<CreatePoolOutcome> {
    const holder = await this.createUnique(pool, poolItem(pool), nameRow(pool), idempotency);
    return holder === undefined ? { kind: "created" } : { kind: "name_taken", poolId: holder };
  }

  /** A new name removes the old name's row, so the pool is read for it. */
  async update(
    organizationId: OrganizationId,
    poolId: string,
    change: PoolChange,
    { revision, idempotency, before, edit }: UpdatePoolOptions = {},
  ): Promise<UpdatePoolOutcome> {
    let deletedHolder: string | undefined;
    const isExpected = revision === undefined ? undefined : hasValue("revision", revision);
    const outcome = await updateEntity<Pool, PoolRefusal, RenamePart>(this.deps, {
      what: "the pool",
      key: poolKey(organizationId, poolId),
      parse: parsePool,
      change,
      write: poolRow.change(change),
      idempotency,
      before,
      edit,
      condition: allOf(living, isExpected),
      refuse: (current) => poolRefusal(current, revision),
      isAsRead: ({ machineCount }) => hasValue("machine_count", machineCount),
      beside:
        change.name === undefined ? undefined : (current, pool) => renameParts(current, pool, deletedHolder),
      refuseBeside: async (failures) => {
        const row = failures.item("name");
        if (!row) return undefined;
        deletedHolder = String(row.pool_id);
        const holder = await this.table.get(poolKey(organizationId, deletedHolder));
        return holder && holder.deleted_at === undefined
          ? { kind: "name_taken", poolId: deletedHolder }
          : undefined;
      },
    });
    return outcome.kind === "updated" ? { kind: "updated", pool: outcome.entity } : outcome;
  }

  /** @throws {DomainError} `search_too_broad` */
  async list(organizationId: OrganizationId, filter: PoolFilter, page: PageRequest): Promise<Page<Pool>> {
    const { search, createdAtFrom, createdAtTo } = filter;
    const question = {
      organizationId,
      rows: {
        index: "list" as const,
        partitions: [listPartitions.pools(organizationId)],
        ...createdWithin(filter),
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
              rowsMax: this.searchRowsMax,
              noun: "pools",
            },
    };
    return await listEntities(this.table, question, page);
  }

  /** The name row counts as free from the deletion on, because marking as deleted would need a read for it. */
  async remove(organizationId: OrganizationId, poolId: string): Promise<void> {
    const pool = await this.findDeleted(organizationId, poolId);
    if (!pool) return;
    // This row is removed first: after an interruption the pool is still due.
    await this.table.delete(nameKey(organizationId, "POOL", pool.name), isNameOf(poolId));
    await this.removeRow(organizationId, poolId);
  }
}

function renameParts(current: Pool, pool: Pool, deletedHolder: string | undefined): Parts<RenamePart> {
  if (pool.name === current.name) return {};
  const { organizationId, id } = pool;
  const unique = nameRow(pool);
  return {
    name: put(unique.item, isUnheld(unique, deletedHolder)),
    freedName: remove(nameKey(organizationId, "POOL", current.name), isNameOf(id)),
  };
}

function nameRow({ organizationId, id, name }: Pool): UniqueRow {
  const item = { ...nameKey(organizationId, "POOL", name), kind: "pool_name", pool_id: id };
  return { item, holder: "pool_id" };
}

function isNameOf(poolId: string): Condition {
  return hasValue("pool_id", poolId);
}

function poolRefusal(pool: Pool | undefined, revision: number | undefined): PoolRefusal | undefined {
  if (!pool || pool.deletedAt !== null) return { kind: "not_found" };
  return revision !== undefined && pool.revision !== revision ? { kind: "changed" } : undefined;
}
