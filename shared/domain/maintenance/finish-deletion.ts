import type { OrganizationId } from "../access/organization-id.ts";

interface DeletedStore<Entity> {
  findDeleted(organizationId: OrganizationId, id: string): Promise<Entity | undefined>;
  remove(organizationId: OrganizationId, id: string): Promise<unknown>;
}

/**
 * Finishes a deletion: what depends on the entity, then its row. The row goes last and every step is idempotent, so an
 * interrupted deletion can start from the top.
 *
 * @returns false when there was nothing left to do.
 */
export async function finishDeletionOf<Entity>(
  store: DeletedStore<Entity>,
  organizationId: OrganizationId,
  id: string,
  clear: (entity: Entity) => Promise<void>,
): Promise<boolean> {
  const entity = await store.findDeleted(organizationId, id);
  if (entity === undefined) return false;
  await clear(entity);
  await store.remove(organizationId, id);
  return true;
}
