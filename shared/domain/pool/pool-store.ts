import type { Edit } from "../entity/edition.ts";
import type { EntityStore } from "../entity/entity-store.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import type { OrganizationId } from "../organization-id.ts";
import type { CreatedRange, Page, PageRequest } from "../page.ts";
import type { Pool } from "./pool.ts";

export type PoolChange = Partial<
  Pick<Pool, "name" | "description" | "parameters" | "sensitiveAliases" | "secretName">
> &
  Pick<Pool, "updatedAt">;

export interface PoolFilter extends CreatedRange {
  /** A case-insensitive substring of id, name or description. */
  readonly search?: string;
}

interface NameTaken {
  readonly kind: "name_taken";
  readonly poolId: string;
}

export type CreatePoolOutcome = { readonly kind: "created" } | NameTaken;

export type UpdatePoolOutcome =
  | { readonly kind: "updated"; readonly pool: Pool }
  | { readonly kind: "not_found" }
  | NameTaken
  /** The pool changed since the given `revision`. */
  | { readonly kind: "changed" };

export interface UpdatePoolOptions {
  readonly idempotency?: Idempotency;
  readonly revision?: number;
  /** A row that the caller has already read saves the store a read. */
  readonly before?: Pool;
  readonly edit?: Edit | undefined;
}

export interface PoolStore extends EntityStore<Pool> {
  /** Returns the existing ones in order of id. */
  findMany(organizationId: OrganizationId, poolIds: readonly string[]): Promise<readonly Pool[]>;
  create(pool: Pool, idempotency?: Idempotency): Promise<CreatePoolOutcome>;
  /**
   * Makes one conditional write; with a new name or an idempotency record, one read and one transaction.
   * @throws {ChangedMeanwhile}
   */
  update(
    organizationId: OrganizationId,
    poolId: string,
    change: PoolChange,
    options?: UpdatePoolOptions,
  ): Promise<UpdatePoolOutcome>;
  /** Lists newest first, with the exact total. @throws {DomainError} `search_too_broad` beyond 10,000 rows read. */
  list(organizationId: OrganizationId, filter: PoolFilter, page: PageRequest): Promise<Page<Pool>>;
}
