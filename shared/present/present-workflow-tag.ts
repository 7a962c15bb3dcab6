import type {
  IncludedTag,
  WorkflowTag as WireTag,
  TagGroup as WireTagGroup,
} from "../contract/workflow-tag.ts";
import type { DescribedTag, TagAppearance, TagGroup } from "../domain/workflow-tag/workflow-tag.ts";

export function presentTag({ tag, group }: DescribedTag): WireTag {
  return {
    ...presentAppearance(tag),
    group_id: group?.id ?? null,
    is_archived: tag.isArchived,
    workflow_count: tag.workflowCount,
    group: group === null ? null : presentTagGroup(group),
  };
}

/** Lists each tag once. */
export function presentIncludedTags(described: Iterable<readonly DescribedTag[]>): IncludedTag[] {
  const byId = new Map([...described].flat().map((each) => [each.tag.id, each]));
  return [...byId.values()].map((each) => ({ type: "workflow_tag", ...presentTag(each) }));
}

export function presentTagGroup(group: TagGroup): WireTagGroup {
  return presentAppearance(group);
}

function presentAppearance(one: TagAppearance): WireTagGroup {
  return {
    id: one.id,
    name: one.name,
    organization_id: one.organizationId,
    order: one.order,
    created_at: one.createdAt,
    updated_at: one.updatedAt,
    description: one.description,
    emoji: one.emoji,
    color: one.color,
  };
}
