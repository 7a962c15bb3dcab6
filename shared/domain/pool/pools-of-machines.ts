import type { Machine } from "../machine/machine.ts";
import type { OrganizationId } from "../organization-id.ts";
import type { Pool } from "./pool.ts";
import type { PoolStore } from "./pool-store.ts";

export type PoolsById = ReadonlyMap<string, Pool>;

/** Leaves out deleted pools, though a machine may still name them; one batch read per 100 pools. */
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
