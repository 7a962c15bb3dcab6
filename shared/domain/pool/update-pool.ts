import { type Caller, requireScope } from "../access/caller.ts";
import { isoTimestamp } from "../clock.ts";
import type { Edit } from "../entity/edition.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import type { SecretValues } from "../secret-store.ts";
import { replaceSecret } from "../secrets/replace-secret.ts";
import type { Pool } from "./pool.ts";
import { type PoolDeps, requireUpdatedPool } from "./pool-deps.ts";
import type { PoolChange, UpdatePoolOutcome } from "./pool-store.ts";

export interface UpdatePoolInput extends Partial<Pick<Pool, "name" | "description" | "parameters">>, Edit {
  readonly poolId: string;
  /** They replace all earlier ones; {} removes all. */
  readonly sensitiveParameters?: SecretValues;
}

/** @throws {DomainError} `not_found`, `changed_meanwhile`, `name_taken`, or `rate_limited` by the secret store. */
export async function updatePool(
  deps: PoolDeps,
  caller: Caller,
  input: UpdatePoolInput,
  idempotency?: Idempotency,
): Promise<Pool> {
  requireScope(caller, "write");
  const { organizationId } = caller;
  const { poolId, sensitiveParameters, ifEdition, ...fields } = input;
  const edit = { ifEdition };
  const change: PoolChange = { ...fields, updatedAt: isoTimestamp(deps.clock.now()) };
  if (sensitiveParameters === undefined) {
    const options = { edit, ...(idempotency && { idempotency }) };
    const outcome = await deps.pools.update(organizationId, poolId, change, options);
    return requireUpdatedPool(poolId, outcome);
  }
  return replaceSecret<Pool, UpdatePoolOutcome, Pool>(
    deps,
    {
      organizationId,
      owner: { kind: "pool", id: poolId },
      edit,
      find: () => deps.pools.find(organizationId, poolId),
      update: (secret, before, leased) =>
        deps.pools.update(
          organizationId,
          poolId,
          { ...change, ...secret },
          { revision: before.revision, before, edit, ...(leased && { idempotency: leased }) },
        ),
    },
    sensitiveParameters,
    idempotency,
    (outcome) => requireUpdatedPool(poolId, outcome),
  );
}
