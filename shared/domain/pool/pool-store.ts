import type { OrganizationId } from "../access/organization-id.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import type { Page, PageRequest } from "../page.ts";
import type { Pool } from "./pool.ts";

/** The fields that a PATCH can give a new value. Absent means unchanged. */
export type PoolChange = Partial<
  Pick<Pool, "name" | "description" | "parameters" | "sensitiveAliases" | "secretName">
> &
  Pick<Pool, "updatedAt">;

export interface PoolFilter {
  /** Substring of id, name or description, whatever the case. */
  readonly search?: string;
  /** ISO 8601, both ends included. */
  readonly createdAtFrom?: string;
  readonly createdAtTo?: string;
}

/** Another pool of the organization has the name. */
interface NameTaken {
  readonly kind: "name_taken";
  readonly poolId: string;
}

export type CreatePoolOutcome = { readonly kind: "created" } | NameTaken;

export type UpdatePoolOutcome =
  | { readonly kind: "updated"; readonly pool: Pool }
  | { readonly kind: "not_found" }
  | NameTaken
  /** Changed since it was read, when `revision` was given. */
  | { readonly kind: "changed" };

export interface UpdatePoolOptions {
  readonly idempotency?: Idempotency;
  /** Write only if the pool is still at this revision. */
  readonly revision?: number;
  /** The pool as it was just read, at `revision`: spares a read where one would be needed. */
  readonly before?: Pool;
}

/** Deleted pools are never found. Who is in them, `MembershipStore` knows. */
export interface PoolStore {
  /** One consistent read. */
  find(organizationId: OrganizationId, poolId: string): Promise<Pool | undefined>;
  /** Those that are there, in the order of the ids: one batch read per 100, none for no ids. */
  findMany(organizationId: OrganizationId, poolIds: readonly string[]): Promise<readonly Pool[]>;
  /**
   * Pool, name and count in one transaction, with the idempotency record when one is given.
   *
   * @throws {AlreadyOnRecord}
   */
  create(pool: Pool, idempotency?: Idempotency): Promise<CreatePoolOutcome>;
  /**
   * One conditional write; with a new name or an idempotency record, one read and one transaction.
   *
   * @throws {AlreadyOnRecord}
   */
  update(
    organizationId: OrganizationId,
    poolId: string,
    change: PoolChange,
    options?: UpdatePoolOptions,
  ): Promise<UpdatePoolOutcome>;
  /**
   * Hides the pool, frees its name and lowers the count in one transaction; the row stays, marked deleted and due,
   * until `remove`. False when there is no such pool.
   *
   * @throws {AlreadyOnRecord}
   */
  markDeleted(
    organizationId: OrganizationId,
    poolId: string,
    deletedAt: string,
    idempotency?: Idempotency,
  ): Promise<boolean>;
  /** Newest first, with the exact total. @throws {DomainError} `search_too_broad` beyond 10,000 rows read. */
  list(organizationId: OrganizationId, filter: PoolFilter, page: PageRequest): Promise<Page<Pool>>;

  /** For the projector and the sweeper: one that is marked deleted. */
  findDeleted(organizationId: OrganizationId, poolId: string): Promise<Pool | undefined>;
  /** The last step of a deletion: the row goes, and the name's row with it. */
  remove(organizationId: OrganizationId, poolId: string): Promise<void>;
}
