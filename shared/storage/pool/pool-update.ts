import type { OrganizationId } from "../../domain/access/organization-id.ts";
import type { Pool } from "../../domain/pool/pool.ts";
import type { PoolChange, UpdatePoolOptions, UpdatePoolOutcome } from "../../domain/pool/pool-store.ts";
import type { DynamoTable, StoreDeps } from "../table/dynamo-table.ts";
import { allOf, type Condition, isNew, living, type Write } from "../table/expression.ts";
import type { Item, Key } from "../table/item.ts";
import { poolKey, poolNameKey } from "../table/keys.ts";
import { updateEntity } from "../table/update-entity.ts";
import { parsePool, poolRow } from "./pool-item.ts";

/** What a pool's update works on; a class would only add `this`. */
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
  const outcome = await updateEntity<Pool, PoolRefusal>(deps, {
    ...{ what: "the pool", key: poolKey(organizationId, poolId), parse: parsePool },
    ...{ change, write: poolRow.change(change), idempotency, before },
    condition: allOf(living, ...isExpected),
    refuse: (current) => refusal(current, revision),
    isAsRead: ({ machineCount }) => ({
      expression: "machine_count = :machine_count",
      values: { machine_count: machineCount },
    }),
    beside:
      change.name === undefined ? undefined : (current, pool) => renameWrites(current, pool, deletedHolder),
    refuseBeside: async (failed) => {
      const row = failed.get(1);
      if (!row) return undefined;
      deletedHolder = String(row.pool_id);
      const isTaken = await isHeld(deps.table, organizationId, deletedHolder);
      return isTaken ? { kind: "name_taken", poolId: deletedHolder } : undefined;
    },
  });
  return outcome.kind === "updated" ? { kind: "updated", pool: outcome.entity } : outcome;
}

function renameWrites(current: Pool, pool: Pool, deletedHolder: string | undefined): readonly Write[] {
  if (pool.name === current.name) return [];
  const { organizationId, id } = pool;
  return [
    {
      kind: "put",
      item: nameItem(organizationId, pool.name, id),
      condition: isNameFree(deletedHolder),
    },
    { kind: "delete", key: poolNameKey(organizationId, current.name), condition: isNameOf(id) },
  ];
}

/** The row that makes a name unique in its organization. */
export function nameItem(organizationId: OrganizationId, name: string, poolId: string): Item & Key {
  return { ...poolNameKey(organizationId, name), kind: "pool_name", pool_id: poolId };
}

/** @param deletedHolder a deleted pool that still has the row: its name is free. */
export function isNameFree(deletedHolder: string | undefined): Condition {
  if (deletedHolder === undefined) return isNew;
  return { expression: "attribute_not_exists(pk) OR pool_id = :deleted", values: { deleted: deletedHolder } };
}

export function isNameOf(poolId: string): Condition {
  return { expression: "pool_id = :pool_id", values: { pool_id: poolId } };
}

/** Whether the pool that has the name's row lives. */
export async function isHeld(
  table: DynamoTable,
  organizationId: OrganizationId,
  holder: string,
): Promise<boolean> {
  return (await read(table, organizationId, holder))?.deletedAt === null;
}

async function read(
  table: DynamoTable,
  organizationId: OrganizationId,
  poolId: string,
): Promise<Pool | undefined> {
  const item = await table.get(poolKey(organizationId, poolId));
  return item && parsePool(item);
}

function refusal(pool: Pool | undefined, revision: number | undefined): PoolRefusal | undefined {
  if (!pool || pool.deletedAt !== null) return { kind: "not_found" };
  return revision !== undefined && pool.revision !== revision ? { kind: "changed" } : undefined;
}
