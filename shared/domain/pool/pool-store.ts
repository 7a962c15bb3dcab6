import type { EntityStore } from "../entity/entity-store.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import type { OrganizationId } from "../organization-id.ts";
import type { CreatedRange, Page, PageRequest } from "../page.ts";
import type { Pool } from "./pool.ts";

/** The fields that a PATCH can give a new value. Absent means unchanged. */
export type PoolChange = Partial<
  Pick<Pool, "name" | "description" | "parameters" | "sensitiveAliases" | "secretName">
> &
  Pick<Pool, "updatedAt">;

export interface PoolFilter extends CreatedRange {
  /** Case-insensitive substring of id, name or description. */
  readonly search?: string;
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
  /** The pool as just read, at `revision`: saves a read where one would be needed. */
  readonly before?: Pool;
}

/** Members are in `MembershipStore`. */
export interface PoolStore extends EntityStore<Pool> {
  /** The existing ones, in order of id: one batch read per 100, none for no ids. */
  findMany(organizationId: OrganizationId, poolIds: readonly string[]): Promise<readonly Pool[]>;
  /**
   * Writes pool, name, count and any idempotency record in one transaction.
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
  /** Newest first, with the exact total. @throws {DomainError} `search_too_broad` beyond 10,000 rows read. */
  list(organizationId: OrganizationId, filter: PoolFilter, page: PageRequest): Promise<Page<Pool>>;
}
