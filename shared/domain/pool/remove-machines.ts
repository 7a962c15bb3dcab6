import { type Caller, requireScope } from "../access/caller.ts";
import type { PoolMachinesInput } from "./add-machines.ts";
import { type PoolDeps, poolNotFound } from "./pool-deps.ts";

/**
 * Takes machines out of a pool, all or none. Who is no member is no error.
 *
 * @throws {DomainError} `insufficient_scope`, or `not_found` for the pool.
 * @throws {ClaimTaken}
 */
export async function removeMachines(
  deps: Pick<PoolDeps, "memberships">,
  caller: Caller,
  { poolId, machineIds, claim }: PoolMachinesInput,
): Promise<void> {
  requireScope(caller, "write");
  const outcome = await deps.memberships.removeMachines(caller.organizationId, poolId, machineIds, claim);
  if (outcome.kind === "pool_not_found") throw poolNotFound(poolId);
}
