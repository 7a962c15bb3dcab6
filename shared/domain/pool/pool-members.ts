import { forEachBounded } from "../bounded-parallel.ts";
import type { Machine } from "../machine/machine.ts";
import type { MachineStore } from "../machine/machine-store.ts";
import type { OrganizationId } from "../organization-id.ts";
import type { Pool } from "./pool.ts";
import type { PoolDeps } from "./pool-deps.ts";
import type { PoolStore } from "./pool-store.ts";

export type PoolsById = ReadonlyMap<string, Pool>;

/** Leaves out deleted pools, which a machine may still name. Makes one batch read per 100 pools. */
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

export interface PoolMembers {
  readonly machines: readonly Machine[];
  readonly pools: PoolsById;
}

/** Makes one query for each pool, one batch read per 100 machines, and one per 100 pools. */
export async function poolMembers(
  deps: Pick<PoolDeps, "pools" | "memberships"> & { readonly machines: Pick<MachineStore, "findMany"> },
  organizationId: OrganizationId,
  poolIds: readonly string[],
): Promise<PoolMembers> {
  const ids = new Set<string>();
  await forEachBounded(poolIds, async (poolId) => {
    for (const id of await deps.memberships.machineIds(organizationId, poolId)) ids.add(id);
  });
  const found = await deps.machines.findMany(organizationId, [...ids]);
  const machines = found.toSorted(newestFirst);
  return { machines, pools: await poolsOfMachines(deps.pools, organizationId, machines) };
}

function newestFirst(left: Machine, right: Machine): number {
  return `${left.createdAt} ${left.id}` < `${right.createdAt} ${right.id}` ? 1 : -1;
}
