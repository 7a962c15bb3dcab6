import { poolsOfMachineMax } from "../../vocabulary/machines.ts";
import { type Caller, requireScope } from "../access/caller.ts";
import type { Edit } from "../entity/edition.ts";
import { notFound } from "../entity/not-found.ts";
import { DomainError } from "../errors.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import type { Pool } from "./pool.ts";
import type { PoolDeps } from "./pool-deps.ts";

export interface PoolMachinesInput extends Edit {
  readonly poolId: string;
  readonly machineIds: readonly string[];
}

/** @throws {DomainError} `not_found` for the pool and for each machine, or `too_many_pools`. */
export async function addMachines(
  deps: Pick<PoolDeps, "memberships">,
  caller: Caller,
  { poolId, machineIds, ...edit }: PoolMachinesInput,
  idempotency?: Idempotency,
): Promise<Pool> {
  requireScope(caller, "write");
  const { organizationId } = caller;
  const outcome = await deps.memberships.addMachines(organizationId, poolId, machineIds, idempotency, edit);
  switch (outcome.kind) {
    case "added":
      return outcome.pool;
    case "pool_not_found":
      throw notFound("pool", poolId);
    case "machine_not_found":
      throw notFound("machine", outcome.machineId);
    case "too_many_pools":
      throw new DomainError(
        "too_many_pools",
        `the machine ${outcome.machineId} is in ${poolsOfMachineMax} pools, and can be in no more`,
        { details: { machine_id: outcome.machineId, pools_max: poolsOfMachineMax } },
      );
  }
}

/** Removes all or none. Idempotent. @throws {DomainError} `not_found` for the pool */
export async function removeMachines(
  deps: Pick<PoolDeps, "memberships">,
  caller: Caller,
  { poolId, machineIds, ...edit }: PoolMachinesInput,
  idempotency?: Idempotency,
): Promise<void> {
  requireScope(caller, "write");
  const outcome = await deps.memberships.removeMachines(
    caller.organizationId,
    poolId,
    machineIds,
    idempotency,
    edit,
  );
  if (outcome.kind === "pool_not_found") throw notFound("pool", poolId);
}

/** @throws {DomainError} `not_found` for the machine and for each pool. */
export async function setMachinePools(
  deps: Pick<PoolDeps, "memberships">,
  caller: Caller,
  { machineId, poolIds, ...edit }: Edit & { readonly machineId: string; readonly poolIds: readonly string[] },
  idempotency?: Idempotency,
): Promise<readonly string[]> {
  requireScope(caller, "write");
  const { organizationId } = caller;
  const outcome = await deps.memberships.setPools(organizationId, machineId, poolIds, idempotency, edit);
  if (outcome.kind === "machine_not_found") throw notFound("machine", machineId);
  if (outcome.kind === "pool_not_found") throw notFound("pool", outcome.poolId);
  return poolIds;
}
