import { forEachBounded } from "../bounded-parallel.ts";
import type { OrganizationId } from "../organization-id.ts";
import type { TagStore } from "../workflow-tag/tag-store.ts";

export interface FinishTagDeletionDeps {
  readonly tags: Pick<
    TagStore,
    | "findDeletedTag"
    | "findDeletedGroup"
    | "workflowIdsOf"
    | "detach"
    | "removeTag"
    | "tagIdsOf"
    | "ungroup"
    | "removeGroup"
  >;
}

const pageSize = 100;

/**
 * Removes a deleted tag from every workflow, page by page, then its row. No workflow can get it meanwhile. Idempotent.
 *
 * @returns false when there was nothing left to do.
 */
export async function finishTagDeletion(
  { tags }: FinishTagDeletionDeps,
  organizationId: OrganizationId,
  tagId: string,
): Promise<boolean> {
  const tag = await tags.findDeletedTag(organizationId, tagId);
  if (!tag) return false;
  for (;;) {
    const workflowIds = await tags.workflowIdsOf(organizationId, tagId, pageSize);
    await forEachBounded(workflowIds, (workflowId) => tags.detach(organizationId, tagId, workflowId));
    if (workflowIds.length < pageSize) break;
  }
  await tags.removeTag(tag);
  return true;
}

/**
 * Removes every tag from a deleted group, then the group's row. No tag can move into it meanwhile. Idempotent.
 *
 * @returns false when there was nothing left to do.
 */
export async function finishTagGroupDeletion(
  { tags }: FinishTagDeletionDeps,
  organizationId: OrganizationId,
  groupId: string,
): Promise<boolean> {
  const group = await tags.findDeletedGroup(organizationId, groupId);
  if (!group) return false;
  for (;;) {
    const tagIds = await tags.tagIdsOf(organizationId, groupId, pageSize);
    await forEachBounded(tagIds, (tagId) => tags.ungroup(organizationId, groupId, tagId));
    if (tagIds.length < pageSize) break;
  }
  await tags.removeGroup(group);
  return true;
}
