import type { Caller } from "../access/caller.ts";
import type { Edit } from "../entity/edition.ts";
import { hideEntity } from "../entity/hide-entity.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import { type PoolDeps, poolNotFound } from "./pool-deps.ts";

/** Hides the pool at once; the projector removes its memberships and secret. */
export async function deletePool(
  deps: Pick<PoolDeps, "pools" | "clock">,
  caller: Caller,
  { poolId: id, ifEdition }: Edit & { readonly poolId: string },
  idempotency?: Idempotency,
): Promise<void> {
  if (!(await hideEntity({ store: deps.pools, clock: deps.clock }, caller, { id, ifEdition }, idempotency)))
    throw poolNotFound(id);
}
