import { type Caller, requireScope } from "../access/caller.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import type { PoolMachinesInput } from "./add-machines.ts";
import { type PoolDeps, poolNotFound } from "./pool-deps.ts";

/** Removes all or none. Idempotent. @throws {DomainError} `not_found` for the pool */
export async function removeMachines(
  deps: Pick<PoolDeps, "memberships">,
  caller: Caller,
  { poolId, machineIds }: PoolMachinesInput,
  idempotency?: Idempotency,
): Promise<void> {
  requireScope(caller, "write");
  const outcome = await deps.memberships.removeMachines(
    caller.organizationId,
    poolId,
    machineIds,
    idempotency,
  );
  if (outcome.kind === "pool_not_found") throw poolNotFound(poolId);
}
