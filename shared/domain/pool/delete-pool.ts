import { type Caller, requireScope } from "../access/caller.ts";
import { isoTimestamp } from "../clock.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import { type PoolDeps, poolNotFound } from "./pool-deps.ts";

/**
 * Hides the pool at once, in one write. The stream's reader (`finish-pool-deletion.ts`) removes its memberships and
 * secret after the commit, and retries on failure.
 *
 * @throws {DomainError} `insufficient_scope` or `not_found`.
 * @throws {AlreadyOnRecord}
 */
export async function deletePool(
  deps: Pick<PoolDeps, "pools" | "clock">,
  caller: Caller,
  input: { readonly poolId: string; readonly idempotency?: Idempotency | undefined },
): Promise<void> {
  requireScope(caller, "write");
  const deletedAt = isoTimestamp(deps.clock.now());
  const isDeleted = await deps.pools.markDeleted(
    caller.organizationId,
    input.poolId,
    deletedAt,
    input.idempotency,
  );
  if (!isDeleted) throw poolNotFound(input.poolId);
}
