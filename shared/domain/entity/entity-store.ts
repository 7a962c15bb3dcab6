import type { Idempotency } from "../idempotency/idempotency.ts";
import type { OrganizationId } from "../organization-id.ts";

/** Entities that a deletion first hides and removes later. Deleted ones are never found. */
export interface EntityStore<Entity> {
  find(organizationId: OrganizationId, id: string): Promise<Entity | undefined>;
  /** Decrements the count in the same transaction; the row stays until `remove`. False for a missing entity. */
  markDeleted(
    organizationId: OrganizationId,
    id: string,
    deletedAt: string,
    idempotency?: Idempotency,
  ): Promise<boolean>;
  /** For the projector and the sweeper. */
  findDeleted(organizationId: OrganizationId, id: string): Promise<Entity | undefined>;
  /** The last step of a deletion: removes the row, and those that point at it. Idempotent. */
  remove(organizationId: OrganizationId, id: string): Promise<void>;
}
