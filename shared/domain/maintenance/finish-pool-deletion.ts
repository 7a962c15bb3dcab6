import type { OrganizationId } from "../organization-id.ts";
import type { MembershipStore } from "../pool/membership-store.ts";
import type { PoolStore } from "../pool/pool-store.ts";
import { type EndWaitingDeps, endWaiting } from "../run/waiting/end-waiting.ts";
import type { WaitingStore } from "../run/waiting/waiting-store.ts";
import type { SecretStore } from "../secret-store.ts";
import { finishDeletionOf } from "./finish-deletion.ts";

export interface FinishPoolDeletionDeps extends EndWaitingDeps {
  readonly waiting: EndWaitingDeps["waiting"] & Pick<WaitingStore, "poolSetsWith">;
  readonly pools: Pick<PoolStore, "findDeleted" | "remove">;
  readonly memberships: Pick<MembershipStore, "dissolve">;
  readonly secrets: Pick<SecretStore, "remove">;
}

const end = { status: "error", reason: "a pool that it waited for was deleted" } as const;

/** Runs that wait for the pool's machines end, because it will have none again. */
export async function finishPoolDeletion(
  deps: FinishPoolDeletionDeps,
  organizationId: OrganizationId,
  poolId: string,
): Promise<boolean> {
  return await finishDeletionOf(deps.pools, organizationId, poolId, async ({ secretName }) => {
    for (const poolIds of await deps.waiting.poolSetsWith(organizationId, poolId)) {
      await endWaiting(deps, organizationId, { kind: "pools", poolIds }, end);
    }
    await deps.memberships.dissolve(organizationId, poolId);
    if (secretName !== null) await deps.secrets.remove(secretName);
  });
}
