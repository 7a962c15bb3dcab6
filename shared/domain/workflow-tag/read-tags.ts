import { type Caller, requireScope } from "../access/caller.ts";
import { required } from "../entity/not-found.ts";
import { getEntity } from "../entity/read-entities.ts";
import type { OrganizationId } from "../organization-id.ts";
import type { Workflow } from "../workflow/workflow.ts";
import type { TagDeps, TaggingDeps } from "./tag-deps.ts";
import type { DescribedTag, TagGroup, WorkflowTag } from "./workflow-tag.ts";

export async function getTag(
  deps: Pick<TagDeps, "tags">,
  caller: Caller,
  input: { readonly tagId: string },
): Promise<DescribedTag> {
  requireScope(caller, "read");
  return describeTag(deps, await requireTag(deps, caller.organizationId, input.tagId));
}

export async function getTagGroup(
  deps: Pick<TagDeps, "tags">,
  caller: Caller,
  input: { readonly groupId: string },
): Promise<TagGroup> {
  requireScope(caller, "read");
  return requireTagGroup(deps, caller.organizationId, input.groupId);
}

/** @throws {DomainError} `not_found`. */
export async function requireTag(
  { tags }: Pick<TagDeps, "tags">,
  organizationId: OrganizationId,
  tagId: string,
): Promise<WorkflowTag> {
  const [tag] = await tags.findTags(organizationId, [tagId]);
  return required(tag, "workflow tag", tagId);
}

/** @throws {DomainError} `not_found`. */
export async function requireTagGroup(
  { tags }: Pick<TagDeps, "tags">,
  organizationId: OrganizationId,
  groupId: string,
): Promise<TagGroup> {
  const [group] = await tags.findGroups(organizationId, [groupId]);
  return required(group, "workflow tag group", groupId);
}

export async function describeTag(deps: Pick<TagDeps, "tags">, tag: WorkflowTag): Promise<DescribedTag> {
  const [described] = await describeTags(deps, tag.organizationId, [tag]);
  return described ?? { tag, group: null };
}

export async function listTags(
  deps: Pick<TagDeps, "tags">,
  caller: Caller,
  input: { readonly includeArchived: boolean },
): Promise<readonly DescribedTag[]> {
  requireScope(caller, "read");
  const { organizationId } = caller;
  const all = await deps.tags.listTags(organizationId);
  const shown = all.filter((tag) => input.includeArchived || !tag.isArchived);
  return inListOrder(await describeTags(deps, organizationId, shown));
}

export async function listTagGroups(
  deps: Pick<TagDeps, "tags">,
  caller: Caller,
): Promise<readonly TagGroup[]> {
  requireScope(caller, "read");
  return (await deps.tags.listGroups(caller.organizationId)).toSorted(byOrder);
}

/** A deleted group is left out. */
export async function describeTags(
  { tags }: Pick<TagDeps, "tags">,
  organizationId: OrganizationId,
  described: readonly WorkflowTag[],
): Promise<readonly DescribedTag[]> {
  const ids = new Set(described.flatMap(({ groupId }) => (groupId === null ? [] : [groupId])));
  const groups = ids.size === 0 ? [] : await tags.findGroups(organizationId, [...ids]);
  const byId = new Map(groups.map((group) => [group.id, group]));
  return described.map((tag) => {
    const group = tag.groupId === null ? undefined : byId.get(tag.groupId);
    return { tag: group ? tag : { ...tag, groupId: null }, group: group ?? null };
  });
}

/** Ungrouped tags come first, then by group order and own order; ties are sorted by id, and so by age. */
function inListOrder(described: readonly DescribedTag[]): readonly DescribedTag[] {
  return described.toSorted(
    (one, other) =>
      Number(one.group !== null) - Number(other.group !== null) ||
      byOrder(one.group, other.group) ||
      byOrder(one.tag, other.tag),
  );
}

export interface Ordered {
  readonly id: string;
  readonly order: number;
}

export function byOrder(one: Ordered | null, other: Ordered | null): number {
  if (one === null || other === null || one.id === other.id) return 0;
  return one.order - other.order || (one.id < other.id ? -1 : 1);
}

/** Returns the tags in list order by workflow id, without deleted ones. */
export async function tagsOfWorkflows(
  deps: Pick<TaggingDeps, "tags">,
  organizationId: OrganizationId,
  workflows: readonly Pick<Workflow, "id" | "tagIds">[],
): Promise<ReadonlyMap<string, readonly DescribedTag[]>> {
  const ids = [...new Set(workflows.flatMap(({ tagIds }) => tagIds))];
  const found = ids.length === 0 ? [] : await deps.tags.findTags(organizationId, ids);
  const described = inListOrder(await describeTags(deps, organizationId, found));
  return new Map(
    workflows.map(({ id, tagIds }) => [id, described.filter(({ tag }) => tagIds.includes(tag.id))]),
  );
}

export async function getWorkflowTags(
  deps: TaggingDeps,
  caller: Caller,
  input: { readonly workflowId: string },
): Promise<readonly DescribedTag[]> {
  const workflow = await getEntity(deps.workflows, caller, "workflow", input.workflowId);
  return (await tagsOfWorkflows(deps, caller.organizationId, [workflow])).get(workflow.id) ?? [];
}
