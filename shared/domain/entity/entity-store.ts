import type { Idempotency } from "../idempotency/idempotency.ts";
import type { OrganizationId } from "../organization-id.ts";

/** Entities that a deletion first hides and removes later. Deleted ones are never found. */
export interface EntityStore<Entity> {
  /** One consistent read. */
  find(organizationId: OrganizationId, id: string): Promise<Entity | undefined>;
  /**
   * Hides the entity and decrements the count in one transaction; the row stays, marked deleted and due, until `remove`.
   * False when there is no such entity.
   *
   * @throws {AlreadyOnRecord}
   */
  markDeleted(
    organizationId: OrganizationId,
    id: string,
    deletedAt: string,
    idempotency?: Idempotency,
  ): Promise<boolean>;
  /** For the projector and the sweeper: one marked deleted. */
  findDeleted(organizationId: OrganizationId, id: string): Promise<Entity | undefined>;
  /** The last step of a deletion: removes the row, and those that point at it. Idempotent. */
  remove(organizationId: OrganizationId, id: string): Promise<void>;
}
