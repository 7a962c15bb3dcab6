import type { Caller } from "../access/caller.ts";
import { hideEntity } from "../entity/hide-entity.ts";
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
  { poolId: id }: { readonly poolId: string },
  idempotency?: Idempotency,
): Promise<void> {
  if (!(await hideEntity({ store: deps.pools, clock: deps.clock }, caller, { id }, idempotency)))
    throw poolNotFound(id);
}
