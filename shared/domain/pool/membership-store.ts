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
 * Which machine is in which pool, stored on both sides: a machine has the ids of its pools, a pool a row per member and
 * their number. The three change together, in one transaction.
 *
 * For callers, deleted machines and pools have no memberships; the last two methods remove what is left of them.
 *
 * Every write throws {DomainError} `service_unavailable` when others keep overtaking it.
 */
export interface MembershipStore {
  /**
   * All or none; a member stays one. The recorded result: the pool as read, with its new number of members.
   *
   * @param machineIds each once, at most 49: a transaction takes 100 items, two for each machine.
   * @throws {AlreadyOnRecord}
   */
  addMachines(
    organizationId: OrganizationId,
    poolId: string,
    machineIds: readonly string[],
    idempotency?: Idempotency,
  ): Promise<AddMachinesOutcome>;
  /**
   * All or none. Idempotent, also for a machine that does not exist.
   *
   * @throws {AlreadyOnRecord}
   */
  removeMachines(
    organizationId: OrganizationId,
    poolId: string,
    machineIds: readonly string[],
    idempotency?: Idempotency,
  ): Promise<RemoveMachinesOutcome>;
  /**
   * Replaces the pools of a machine, in this order. The recorded result: the ids.
   *
   * @param poolIds each once, at most `poolsOfMachineMax`.
   * @throws {AlreadyOnRecord}
   */
  setPools(
    organizationId: OrganizationId,
    machineId: string,
    poolIds: readonly string[],
    idempotency?: Idempotency,
  ): Promise<SetPoolsOutcome>;
  /** The members of a pool, newest machine first; one consistent query. */
  machineIds(organizationId: OrganizationId, poolId: string): Promise<readonly string[]>;
  /** For a machine marked deleted: removes it from all its pools. Idempotent. */
  leaveAllPools(organizationId: OrganizationId, machineId: string): Promise<void>;
  /** For a pool marked deleted: removes its members, page by page. Idempotent. */
  dissolve(organizationId: OrganizationId, poolId: string): Promise<void>;
}
