import type { OrganizationId } from "../access/organization-id.ts";
import type { Machine } from "../machine/machine.ts";
import type { MachineStore } from "../machine/machine-store.ts";
import type { PoolDeps } from "./pool-deps.ts";
import { type PoolsById, poolsOfMachines } from "./pools-of-machines.ts";

export interface PoolMembers {
  /** Newest first. */
  readonly machines: readonly Machine[];
  /** Every pool that any of them is in. */
  readonly pools: PoolsById;
}

/**
 * The machines of a pool that was already read, with their pools.
 *
 * One query, one batch read per 100 machines, one per 100 pools.
 */
export async function poolMembers(
  deps: Pick<PoolDeps, "pools" | "memberships"> & { readonly machines: Pick<MachineStore, "findMany"> },
  organizationId: OrganizationId,
  poolId: string,
): Promise<PoolMembers> {
  const ids = await deps.memberships.machineIds(organizationId, poolId);
  const machines = await deps.machines.findMany(organizationId, ids);
  return { machines, pools: await poolsOfMachines(deps.pools, organizationId, machines) };
}
