import { type Caller, requireScope } from "../access/caller.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import { machineNotFound } from "../machine/machine-deps.ts";
import { type PoolDeps, poolNotFound } from "./pool-deps.ts";

/** @throws {DomainError} `not_found` for the machine and for each pool. */
export async function setMachinePools(
  deps: Pick<PoolDeps, "memberships">,
  caller: Caller,
  { machineId, poolIds }: { readonly machineId: string; readonly poolIds: readonly string[] },
  idempotency?: Idempotency,
): Promise<readonly string[]> {
  requireScope(caller, "write");
  const outcome = await deps.memberships.setPools(caller.organizationId, machineId, poolIds, idempotency);
  if (outcome.kind === "machine_not_found") throw machineNotFound(machineId);
  if (outcome.kind === "pool_not_found") throw poolNotFound(outcome.poolId);
  return poolIds;
}
