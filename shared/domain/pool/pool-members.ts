import { forEachBounded } from "../bounded-parallel.ts";
import type { Machine } from "../machine/machine.ts";
import type { MachineStore } from "../machine/machine-store.ts";
import type { OrganizationId } from "../organization-id.ts";
import type { PoolDeps } from "./pool-deps.ts";
import { type PoolsById, poolsOfMachines } from "./pools-of-machines.ts";

export interface PoolMembers {
  readonly machines: readonly Machine[];
  readonly pools: PoolsById;
}

/** Makes one query for each pool, one batch read per 100 machines, one per 100 pools. */
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
