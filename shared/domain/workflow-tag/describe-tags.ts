import type { OrganizationId } from "../organization-id.ts";
import type { TagDeps } from "./tag-deps.ts";
import type { DescribedTag, WorkflowTag } from "./workflow-tag.ts";

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

/** Ungrouped first, then by group order and own order; ties by id, so by age. */
export function inListOrder(described: readonly DescribedTag[]): readonly DescribedTag[] {
  return described.toSorted(
    (one, other) =>
      Number(one.group !== null) - Number(other.group !== null) ||
      byOrder(one.group, other.group) ||
      byOrder(one.tag, other.tag),
  );
}

interface Ordered {
  readonly id: string;
  readonly order: number;
}

export function byOrder(one: Ordered | null, other: Ordered | null): number {
  if (one === null || other === null || one.id === other.id) return 0;
  return one.order - other.order || (one.id < other.id ? -1 : 1);
}
