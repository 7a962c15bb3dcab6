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

/** No workflow can get a deleted tag meanwhile. */
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

/** No tag can move into a deleted group meanwhile. */
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
