import type { OrganizationId } from "../organization-id.ts";

interface DeletedStore<Entity> {
  findDeleted(organizationId: OrganizationId, id: string): Promise<Entity | undefined>;
  remove(organizationId: OrganizationId, id: string): Promise<unknown>;
}

/** The row is removed last, so that a deletion can restart. @param clear returns false if it ran out of time. */
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
