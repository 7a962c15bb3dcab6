import type { OrganizationId } from "../access/organization-id.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import type { Pool } from "./pool.ts";

/** Most pools that one machine can be in. */
export const poolsOfMachineMax = 20;

/** Most machines that join or leave a pool in one request: a transaction takes 100 items, two for each machine. */
export const machinesAtOnceMax = 49;

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
 * Which machine is in which pool, known from both sides: a machine has the ids of its pools, a pool a row for each
 * member and their number. The three only ever change together, in one transaction.
 *
 * Machines and pools that are deleted are in nothing as far as callers go; what is left of their memberships, the
 * last two methods take away.
 *
 * Every write throws {DomainError} `service_unavailable` when others keep overtaking it.
 */
export interface MembershipStore {
  /**
   * All of them or none; who is a member already stays one. On record under the idempotency record: the pool as it was read,
   * with its new number of members.
   *
   * @param machineIds each once, at most `machinesAtOnceMax`.
   * @throws {AlreadyOnRecord}
   */
  addMachines(
    organizationId: OrganizationId,
    poolId: string,
    machineIds: readonly string[],
    idempotency?: Idempotency,
  ): Promise<AddMachinesOutcome>;
  /**
   * All of them or none; who is no member stays none, whether there is such a machine or not.
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
   * Makes these the pools of a machine, in this order, and no others. On record under the idempotency record: the ids.
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
  /** For a machine marked deleted: it leaves all its pools. Nothing when it is in none, or gone. */
  leaveAllPools(organizationId: OrganizationId, machineId: string): Promise<void>;
  /** For a pool marked deleted: its members leave it, page by page. Nothing when there are none. */
  dissolve(organizationId: OrganizationId, poolId: string): Promise<void>;
}
