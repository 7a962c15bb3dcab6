import type { MembershipStore } from "../pool/membership-store.ts";
import type { PoolStore } from "../pool/pool-store.ts";
import type { SecretStore } from "../secret-store.ts";

export interface FinishPoolDeletionDeps {
  readonly pools: Pick<PoolStore, "findDeleted" | "remove">;
  readonly memberships: Pick<MembershipStore, "dissolve">;
  readonly secrets: Pick<SecretStore, "remove">;
}

/**
 * Does what a deletion left for later: the machines leave the pool, page by page, its secret is deleted, and its row
 * removed.
 *
 * The row goes last, and every step can be done again, so whoever finds the row can begin from the top.
 *
 * @returns false when there was nothing left to do.
 */
export async function finishPoolDeletion(
  deps: FinishPoolDeletionDeps,
  organizationId: string,
  poolId: string,
): Promise<boolean> {
  const pool = await deps.pools.findDeleted(organizationId, poolId);
  if (!pool) return false;
  await deps.memberships.dissolve(organizationId, poolId);
  if (pool.secretName !== null) await deps.secrets.remove(pool.secretName);
  await deps.pools.remove(organizationId, poolId);
  return true;
}
