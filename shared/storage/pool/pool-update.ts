import { randomUUID } from "node:crypto";
import { DomainError } from "../../domain/errors.ts";
import type { Pool } from "../../domain/pool/pool.ts";
import type { PoolChange, UpdatePoolOptions, UpdatePoolOutcome } from "../../domain/pool/pool-store.ts";
import type { DynamoTable } from "../table/dynamo-table.ts";
import type { Condition, Write } from "../table/expression.ts";
import type { Item, Key } from "../table/item.ts";
import { poolKey, poolNameKey } from "../table/keys.ts";
import { isLiving } from "../machine/machine-update.ts";
import { changedEntity } from "../table/row.ts";
import { parsePool, poolRow } from "./pool-item.ts";
import { refuseTaken, transactIdempotent } from "../table/transact-idempotent.ts";

/** Members coming and going overtake it as well; each attempt writes unless it was overtaken. */
const overtakenMax = 50;

/** What a pool's update works on; a class would add nothing but `this`. */
export interface PoolUpdate {
  readonly table: DynamoTable;
  readonly organizationId: string;
  readonly poolId: string;
  readonly change: PoolChange;
  readonly options: UpdatePoolOptions;
  readonly nowMs: number;
}

/** One conditional write, for a change without a name and without an idempotency record. */
export async function updateInPlace(update: PoolUpdate): Promise<UpdatePoolOutcome> {
  const { revision } = update.options;
  const change = poolRow.change(update.change);
  const writeId = randomUUID();
  const outcome = await update.table.update(
    poolKey(update.organizationId, update.poolId),
    { ...change, set: { ...change.set, write_id: writeId } },
    revision === undefined
      ? { expression: isLiving }
      : { expression: `${isLiving} AND revision = :revision`, values: { revision } },
  );
  const { item } = outcome;
  // An answer was lost and the write sent again: what it found is itself.
  if (item && (outcome.kind === "updated" || item.write_id === writeId)) {
    return { kind: "updated", pool: parsePool(item) };
  }
  return refusal(item && parsePool(item), revision) ?? { kind: "changed" };
}

/**
 * One read and one transaction: the answer on record is the pool after the change, and a new name needs the old
 * one's row to go.
 */
export async function updateAsRead(update: PoolUpdate): Promise<UpdatePoolOutcome> {
  const { table, organizationId, poolId, change, options, nowMs } = update;
  const { idempotency, revision } = options;
  const refused = async (outcome: UpdatePoolOutcome): Promise<UpdatePoolOutcome> => {
    if (idempotency) await refuseTaken(table, idempotency, nowMs);
    return outcome;
  };
  let current = options.before ?? (await read(table, organizationId, poolId));
  let deletedHolder: string | undefined;
  for (let attempt = 0; attempt < overtakenMax; attempt++) {
    const refusedBy = refusal(current, revision);
    if (refusedBy || !current) return await refused(refusedBy ?? { kind: "not_found" });
    const pool = changedEntity(current, change);
    const outcome = await transactIdempotent(
      table,
      [asReadWrite(current, change), ...renameWrites(current, pool, deletedHolder)],
      { idempotency, result: pool, nowMs },
    );
    if (outcome.kind === "written") return { kind: "updated", pool };
    const nameRow = outcome.failed.get(1);
    if (nameRow) {
      const holder = String(nameRow.pool_id);
      if (await isHeld(table, organizationId, holder)) {
        return await refused({ kind: "name_taken", poolId: holder });
      }
      deletedHolder = holder;
    }
    current = await read(table, organizationId, poolId);
  }
  throw new DomainError("service_unavailable", "the pool is being changed too often; try again", {
    retryAfterSeconds: 1,
  });
}

/** Also on the number of members that was read, since that is in the answer. */
function asReadWrite(current: Pool, change: PoolChange): Write {
  return {
    kind: "update",
    key: poolKey(current.organizationId, current.id),
    change: poolRow.change(change),
    condition: {
      expression: `${isLiving} AND revision = :revision AND machine_count = :machine_count`,
      values: { revision: current.revision, machine_count: current.machineCount },
    },
  };
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

/** The row that makes a name one pool's. */
export function nameItem(organizationId: string, name: string, poolId: string): Item & Key {
  return { ...poolNameKey(organizationId, name), kind: "pool_name", pool_id: poolId };
}

/** @param deletedHolder a pool that has the row and is deleted: its name is free. */
export function isNameFree(deletedHolder: string | undefined): Condition {
  if (deletedHolder === undefined) return { expression: "attribute_not_exists(pk)" };
  return { expression: "attribute_not_exists(pk) OR pool_id = :deleted", values: { deleted: deletedHolder } };
}

export function isNameOf(poolId: string): Condition {
  return { expression: "pool_id = :pool_id", values: { pool_id: poolId } };
}

/** Whether the pool that has a name's row is alive. */
export async function isHeld(table: DynamoTable, organizationId: string, holder: string): Promise<boolean> {
  return (await read(table, organizationId, holder))?.deletedAt === null;
}

async function read(table: DynamoTable, organizationId: string, poolId: string): Promise<Pool | undefined> {
  const item = await table.get(poolKey(organizationId, poolId));
  return item && parsePool(item);
}

function refusal(pool: Pool | undefined, revision: number | undefined): UpdatePoolOutcome | undefined {
  if (!pool || pool.deletedAt !== null) return { kind: "not_found" };
  return revision !== undefined && pool.revision !== revision ? { kind: "changed" } : undefined;
}
