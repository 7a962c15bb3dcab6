import type { OrganizationId } from "../../domain/organization-id.ts";
import type { TagAppearance, TagGroup, WorkflowTag } from "../../domain/workflow-tag/workflow-tag.ts";
import { createdAttributes, listPartitions } from "../table/index-keys.ts";
import type { Item, Key } from "../table/item.ts";
import { groupedKey, tagGroupKey, taggedKey, tagKey } from "../table/keys.ts";
import { as, entityFields, type Fields, flag, number, orNull, row, text } from "../table/row.ts";

const looks: Fields<TagAppearance> = {
  ...entityFields,
  name: text,
  description: text,
  emoji: text,
  color: text,
  order: as("sort_order", number),
  updatedAt: text,
  assignments: number,
};

export const tagRow = row<WorkflowTag>("workflow_tag", {
  ...looks,
  groupId: orNull(text),
  isArchived: flag,
  workflowCount: number,
});

export const tagGroupRow = row<TagGroup>("workflow_tag_group", { ...looks, moves: number });

export const parseTag = tagRow.parse;
export const parseTagGroup = tagGroupRow.parse;

export function tagItem(tag: WorkflowTag): Item & Key {
  return {
    ...tagKey(tag.organizationId, tag.id),
    ...tagRow.write(tag),
    ...createdAttributes(tag, { list: listPartitions.tags(tag.organizationId) }),
  };
}

export function tagGroupItem(group: TagGroup): Item & Key {
  return {
    ...tagGroupKey(group.organizationId, group.id),
    ...tagGroupRow.write(group),
    ...createdAttributes(group, { list: listPartitions.tagGroups(group.organizationId) }),
  };
}

export function changeableAppearance({ name, description, emoji, color, order, updatedAt }: TagAppearance) {
  return { name, description, emoji, color, order, updatedAt };
}

export function taggedItem(organizationId: OrganizationId, tagId: string, workflowId: string): Item & Key {
  return {
    ...taggedKey(organizationId, tagId, workflowId),
    kind: "tagged_workflow",
    workflow_id: workflowId,
  };
}

export function groupedItem(organizationId: OrganizationId, groupId: string, tagId: string): Item & Key {
  return { ...groupedKey(organizationId, groupId, tagId), kind: "grouped_tag", tag_id: tagId };
}
