import * as z from "zod";
import type { TagGroup, TagLooks, WorkflowTag } from "../../domain/workflow-tag/workflow-tag.ts";
import type { Item, Key } from "../table/item.ts";
import { createdSortKey, groupedKey, listPartitions, taggedKey, tagGroupKey, tagKey } from "../table/keys.ts";

const looks = {
  id: z.string(),
  organization_id: z.string(),
  name: z.string(),
  description: z.string(),
  emoji: z.string(),
  color: z.string(),
  sort_order: z.number(),
  created_at: z.string(),
  updated_at: z.string(),
  deleted_at: z.string().optional(),
  revision: z.number(),
  assignments: z.number(),
};

const TagItem = z.object({
  kind: z.literal("workflow_tag"),
  ...looks,
  group_id: z.string().optional(),
  is_archived: z.boolean(),
  workflow_count: z.number(),
});

const TagGroupItem = z.object({ kind: z.literal("workflow_tag_group"), ...looks, moves: z.number() });

export function parseTag(item: Item): WorkflowTag {
  const row = TagItem.parse(item);
  return {
    ...parseLooks(row),
    groupId: row.group_id ?? null,
    isArchived: row.is_archived,
    workflowCount: row.workflow_count,
  };
}

export function parseTagGroup(item: Item): TagGroup {
  const row = TagGroupItem.parse(item);
  return { ...parseLooks(row), moves: row.moves };
}

function parseLooks(row: z.infer<z.ZodObject<typeof looks>>): TagLooks {
  return {
    id: row.id,
    organizationId: row.organization_id,
    name: row.name,
    description: row.description,
    emoji: row.emoji,
    color: row.color,
    order: row.sort_order,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    deletedAt: row.deleted_at ?? null,
    revision: row.revision,
    assignments: row.assignments,
  };
}

/** A new tag with its row in the list. */
export function tagItem(tag: WorkflowTag): Item & Key {
  return {
    ...tagKey(tag.organizationId, tag.id),
    kind: "workflow_tag",
    ...newLooks(tag),
    group_id: tag.groupId ?? undefined,
    is_archived: tag.isArchived,
    workflow_count: tag.workflowCount,
    list_pk: listPartitions.tags(tag.organizationId),
  };
}

/** A new group with its row in the list. */
export function tagGroupItem(group: TagGroup): Item & Key {
  return {
    ...tagGroupKey(group.organizationId, group.id),
    kind: "workflow_tag_group",
    ...newLooks(group),
    moves: group.moves,
    list_pk: listPartitions.tagGroups(group.organizationId),
  };
}

function newLooks(one: TagLooks): Item {
  return {
    id: one.id,
    organization_id: one.organizationId,
    ...changeableLooks(one),
    created_at: one.createdAt,
    revision: one.revision,
    assignments: one.assignments,
    list_sk: createdSortKey(Date.parse(one.createdAt), one.id),
  };
}

/** What a PATCH may change of both. */
export function changeableLooks(one: TagLooks): Item {
  return {
    name: one.name,
    description: one.description,
    emoji: one.emoji,
    color: one.color,
    sort_order: one.order,
    updated_at: one.updatedAt,
  };
}

/** That a workflow has a tag. */
export function taggedItem(organizationId: string, tagId: string, workflowId: string): Item & Key {
  return {
    ...taggedKey(organizationId, tagId, workflowId),
    kind: "tagged_workflow",
    workflow_id: workflowId,
  };
}

/** That a tag is in a group. */
export function groupedItem(organizationId: string, groupId: string, tagId: string): Item & Key {
  return { ...groupedKey(organizationId, groupId, tagId), kind: "grouped_tag", tag_id: tagId };
}
