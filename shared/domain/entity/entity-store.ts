import type { Idempotency } from "../idempotency/idempotency.ts";
import type { OrganizationId } from "../organization-id.ts";
import type { Edit } from "./edition.ts";

/** A store of entities that a deletion first hides and removes later. Deleted ones are never found. */
export interface EntityStore<Entity> {
  find(organizationId: OrganizationId, id: string): Promise<Entity | undefined>;
  /**
   * Decrements the count in the same transaction; the row stays until `remove`. Returns false for a missing entity.
   * @throws {ChangedMeanwhile}
   */
  markDeleted(
    organizationId: OrganizationId,
    id: string,
    deletedAt: string,
    idempotency?: Idempotency,
    edit?: Edit,
  ): Promise<boolean>;
  /** Reads a deleted entity, for the projector and the sweeper. */
  findDeleted(organizationId: OrganizationId, id: string): Promise<Entity | undefined>;
  /** Ends a deletion by removing the row and those that refer to it. Idempotent. */
  remove(organizationId: OrganizationId, id: string): Promise<void>;
}
