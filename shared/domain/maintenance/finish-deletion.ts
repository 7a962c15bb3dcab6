import type { OrganizationId } from "../organization-id.ts";

interface DeletedStore<Entity> {
  findDeleted(organizationId: OrganizationId, id: string): Promise<Entity | undefined>;
  remove(organizationId: OrganizationId, id: string): Promise<unknown>;
}

/**
 * Finishes a deletion: what depends on the entity, then its row. The row goes last and every step is idempotent, so an
 * interrupted deletion can start from the top.
 *
 * @param clear returns false when it ran out of time: the sweeper goes on.
 * @returns false when there was nothing left to do, or more than time for it.
 */
export async function finishDeletionOf<Entity>(
  store: DeletedStore<Entity>,
  organizationId: OrganizationId,
  id: string,
  clear: (entity: Entity) => Promise<unknown>,
): Promise<boolean> {
  const entity = await store.findDeleted(organizationId, id);
  if (entity === undefined) return false;
  if ((await clear(entity)) === false) return false;
  await store.remove(organizationId, id);
  return true;
}
