import * as z from "zod";
import type { JsonObject } from "../../domain/json.ts";
import type { Pool } from "../../domain/pool/pool.ts";
import type { PoolChange } from "../../domain/pool/pool-store.ts";
import type { Change } from "../table/expression.ts";
import type { Item, Key } from "../table/item.ts";
import { createdSortKey, listPartitions, poolKey } from "../table/keys.ts";

/** Reading a row is parsing it; the index attributes beside these are left out. */
const PoolItem = z.object({
  kind: z.literal("pool"),
  id: z.string(),
  organization_id: z.string(),
  name: z.string(),
  description: z.string(),
  /** JSON text: DynamoDB's own maps nest 32 deep only, and its numbers are not JSON's. */
  parameters: z.string(),
  sensitive_aliases: z.array(z.string()),
  secret_name: z.string().optional(),
  machine_count: z.number(),
  created_at: z.string(),
  updated_at: z.string(),
  deleted_at: z.string().optional(),
  revision: z.number(),
});

export function parsePool(item: Item): Pool {
  const row = PoolItem.parse(item);
  return {
    id: row.id,
    organizationId: row.organization_id,
    name: row.name,
    description: row.description,
    // Written by `poolItem` or `poolChange` below, never by anyone else.
    parameters: JSON.parse(row.parameters) as JsonObject,
    sensitiveAliases: row.sensitive_aliases,
    secretName: row.secret_name ?? null,
    machineCount: row.machine_count,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    deletedAt: row.deleted_at ?? null,
    revision: row.revision,
  };
}

/** A new pool with its index row. */
export function poolItem(pool: Pool): Item & Key {
  const { organizationId } = pool;
  return {
    ...poolKey(organizationId, pool.id),
    kind: "pool",
    id: pool.id,
    organization_id: organizationId,
    name: pool.name,
    description: pool.description,
    parameters: JSON.stringify(pool.parameters),
    sensitive_aliases: pool.sensitiveAliases,
    secret_name: pool.secretName ?? undefined,
    machine_count: pool.machineCount,
    created_at: pool.createdAt,
    updated_at: pool.updatedAt,
    revision: pool.revision,
    list_pk: listPartitions.pools(organizationId),
    list_sk: createdSortKey(Date.parse(pool.createdAt), pool.id),
  };
}

/** A change of some fields, without reading the pool. */
export function poolChange(change: PoolChange): Change {
  return {
    set: {
      name: change.name,
      description: change.description,
      parameters: change.parameters && JSON.stringify(change.parameters),
      sensitive_aliases: change.sensitiveAliases,
      secret_name: change.secretName,
      updated_at: change.updatedAt,
    },
    add: { revision: 1 },
  };
}

/** The pool after the change; `poolChange` says the same to the table. */
export function changedPool(pool: Pool, change: PoolChange): Pool {
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  return { ...pool, ...given, revision: pool.revision + 1 };
}
