import type { OrganizationId } from "../../domain/organization-id.ts";
import type { Pool } from "../../domain/pool/pool.ts";
import type { PoolChange, UpdatePoolOptions, UpdatePoolOutcome } from "../../domain/pool/pool-store.ts";
import { isFree, type UniqueRow } from "../entity/unique-row.ts";
import { updateEntity } from "../entity/update-entity.ts";
import type { StoreDeps } from "../table/dynamo-table.ts";
import { allOf, type Condition, living, put, remove } from "../table/expression.ts";
import { nameKey, poolKey } from "../table/keys.ts";
import type { Parts } from "../table/transaction.ts";
import { parsePool, poolRow } from "./pool-item.ts";

export interface PoolUpdate {
  readonly organizationId: OrganizationId;
  readonly poolId: string;
  readonly change: PoolChange;
  readonly options: UpdatePoolOptions;
}

type PoolRefusal = Exclude<UpdatePoolOutcome, { readonly kind: "updated" }>;

/** A new name removes the old name's row, so the pool is read for it. */
export async function updatePoolRow(
  deps: StoreDeps,
  { organizationId, poolId, change, options }: PoolUpdate,
): Promise<UpdatePoolOutcome> {
  const { revision, idempotency, before } = options;
  let deletedHolder: string | undefined;
  const isExpected =
    revision === undefined ? [] : [{ expression: "revision = :revision", values: { revision } }];
  const outcome = await updateEntity<Pool, PoolRefusal, RenamePart>(deps, {
    what: "the pool",
    key: poolKey(organizationId, poolId),
    parse: parsePool,
    change,
    write: poolRow.change(change),
    idempotency,
    before,
    condition: allOf(living, ...isExpected),
    refuse: (current) => refusal(current, revision),
    isAsRead: ({ machineCount }) => ({
      expression: "machine_count = :machine_count",
      values: { machine_count: machineCount },
    }),
    beside:
      change.name === undefined ? undefined : (current, pool) => renameParts(current, pool, deletedHolder),
    refuseBeside: async (failures) => {
      const row = failures.item("name");
      if (!row) return undefined;
      deletedHolder = String(row.pool_id);
      const holder = await deps.table.get(poolKey(organizationId, deletedHolder));
      return holder && holder.deleted_at === undefined
        ? { kind: "name_taken", poolId: deletedHolder }
        : undefined;
    },
  });
  return outcome.kind === "updated" ? { kind: "updated", pool: outcome.entity } : outcome;
}

type RenamePart = "name" | "freedName";

function renameParts(current: Pool, pool: Pool, deletedHolder: string | undefined): Parts<RenamePart> {
  if (pool.name === current.name) return {};
  const { organizationId, id } = pool;
  const unique = nameRow(pool);
  return {
    name: put(unique.item, isFree(unique, deletedHolder)),
    freedName: remove(nameKey(organizationId, "POOL", current.name), isNameOf(id)),
  };
}

export function nameRow({ organizationId, id, name }: Pool): UniqueRow {
  const item = { ...nameKey(organizationId, "POOL", name), kind: "pool_name", pool_id: id };
  return { item, holder: "pool_id" };
}

export function isNameOf(poolId: string): Condition {
  return { expression: "pool_id = :pool_id", values: { pool_id: poolId } };
}

function refusal(pool: Pool | undefined, revision: number | undefined): PoolRefusal | undefined {
  if (!pool || pool.deletedAt !== null) return { kind: "not_found" };
  return revision !== undefined && pool.revision !== revision ? { kind: "changed" } : undefined;
}
