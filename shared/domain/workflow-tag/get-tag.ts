import { type Caller, requireScope } from "../access/caller.ts";
import type { OrganizationId } from "../organization-id.ts";
import { describeTags } from "./describe-tags.ts";
import { type TagDeps, tagGroupNotFound, tagNotFound } from "./tag-deps.ts";
import type { DescribedTag, TagGroup, WorkflowTag } from "./workflow-tag.ts";

export async function getTag(
  deps: Pick<TagDeps, "tags">,
  caller: Caller,
  input: { readonly tagId: string },
): Promise<DescribedTag> {
  requireScope(caller, "read");
  return describeTag(deps, await findTag(deps, caller.organizationId, input.tagId));
}

export async function getTagGroup(
  deps: Pick<TagDeps, "tags">,
  caller: Caller,
  input: { readonly groupId: string },
): Promise<TagGroup> {
  requireScope(caller, "read");
  return findTagGroup(deps, caller.organizationId, input.groupId);
}

/** @throws {DomainError} `not_found`. */
export async function findTag(
  { tags }: Pick<TagDeps, "tags">,
  organizationId: OrganizationId,
  tagId: string,
): Promise<WorkflowTag> {
  const [tag] = await tags.findTags(organizationId, [tagId]);
  if (tag === undefined) throw tagNotFound(tagId);
  return tag;
}

/** @throws {DomainError} `not_found`. */
export async function findTagGroup(
  { tags }: Pick<TagDeps, "tags">,
  organizationId: OrganizationId,
  groupId: string,
): Promise<TagGroup> {
  const [group] = await tags.findGroups(organizationId, [groupId]);
  if (group === undefined) throw tagGroupNotFound(groupId);
  return group;
}

export async function describeTag(deps: Pick<TagDeps, "tags">, tag: WorkflowTag): Promise<DescribedTag> {
  const [described] = await describeTags(deps, tag.organizationId, [tag]);
  return described ?? { tag, group: null };
}
