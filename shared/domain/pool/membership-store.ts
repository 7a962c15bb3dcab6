import type { Edit } from "../entity/edition.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import type { OrganizationId } from "../organization-id.ts";
import type { Pool } from "./pool.ts";

export type AddMachinesOutcome =
  | { readonly kind: "added"; readonly pool: Pool }
  | { readonly kind: "pool_not_found" }
  | { readonly kind: "machine_not_found" | "too_many_pools"; readonly machineId: string };

export type RemoveMachinesOutcome = { readonly kind: "removed" } | { readonly kind: "pool_not_found" };

export type SetPoolsOutcome =
  | { readonly kind: "set" }
  | { readonly kind: "machine_not_found" }
  | { readonly kind: "pool_not_found"; readonly poolId: string };

/**
 * A machine has the ids of its pools, a pool a row per member and their number; one transaction changes all three.
 * Every write throws {DomainError} `service_unavailable` when others keep overtaking it, and {ChangedMeanwhile} for
 * another edition of the pool or machine that it names.
 */
export interface MembershipStore {
  /** Adds all or none, at most 49: a transaction takes 100 items, two for each machine. Records the pool. */
  addMachines(
    organizationId: OrganizationId,
    poolId: string,
    machineIds: readonly string[],
    idempotency?: Idempotency,
    edit?: Edit,
  ): Promise<AddMachinesOutcome>;
  /** Removes all or none. Idempotent, also for a machine that does not exist. */
  removeMachines(
    organizationId: OrganizationId,
    poolId: string,
    machineIds: readonly string[],
    idempotency?: Idempotency,
    edit?: Edit,
  ): Promise<RemoveMachinesOutcome>;
  /** Replaces the pools of a machine, in this order, at most `poolsOfMachineMax`. Records the ids. */
  setPools(
    organizationId: OrganizationId,
    machineId: string,
    poolIds: readonly string[],
    idempotency?: Idempotency,
    edit?: Edit,
  ): Promise<SetPoolsOutcome>;
  /** Lists the members of a pool, newest machine first, in one consistent query. */
  machineIds(organizationId: OrganizationId, poolId: string): Promise<readonly string[]>;
  /** Removes a machine that is marked deleted from all its pools. Idempotent. */
  leaveAllPools(organizationId: OrganizationId, machineId: string): Promise<void>;
  /** Removes the members of a pool that is marked deleted, page by page. Idempotent. */
  dissolve(organizationId: OrganizationId, poolId: string): Promise<void>;
}
