import type { Machine } from "../machine/machine.ts";
import type { OrganizationId } from "../organization-id.ts";
import type { Pool } from "./pool.ts";
import type { PoolStore } from "./pool-store.ts";

/** Pools by id. */
export type PoolsById = ReadonlyMap<string, Pool>;

/**
 * The pools that any of these machines of one organization is in, each once: one batch read per 100 pools, none for
 * machines without pools. Deleted pools are left out, though a machine may still name them.
 */
export async function poolsOfMachines(
  pools: Pick<PoolStore, "findMany">,
  organizationId: OrganizationId,
  machines: readonly Pick<Machine, "poolIds">[],
): Promise<PoolsById> {
  const ids = [...new Set(machines.flatMap(({ poolIds }) => poolIds))];
  if (ids.length === 0) return new Map();
  const found = await pools.findMany(organizationId, ids);
  return new Map(found.map((pool) => [pool.id, pool]));
}
