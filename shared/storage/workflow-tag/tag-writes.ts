import type { TagAppearance, TagGroup, WorkflowTag } from "../../domain/workflow-tag/workflow-tag.ts";
import { deletedChange } from "../entity/mark-deleted.ts";
import {
  allOf,
  hasValue,
  isAsRead,
  isNew,
  living,
  put,
  remove,
  update,
  type Write,
} from "../table/expression.ts";
import { attributesOf } from "../table/index-keys.ts";
import type { Key } from "../table/item.ts";
import { groupedKey, nameKey, type TagKind, tagGroupKey, tagKey } from "../table/keys.ts";
import type { Parts } from "../table/transaction.ts";
import { changeableAppearance, groupedItem, tagRow } from "./tag-item.ts";

export function tagEntityKey(
  kind: TagKind,
  { organizationId, id }: Pick<TagAppearance, "organizationId" | "id">,
): Key {
  return kind === "TAG" ? tagKey(organizationId, id) : tagGroupKey(organizationId, id);
}

export function takeTagName(kind: TagKind, { organizationId, name, id }: TagAppearance): Write {
  return put({ ...nameKey(organizationId, kind, name), kind: "workflow_tag_name", holder_id: id }, isNew);
}

export function freeTagName(kind: TagKind, { organizationId, name, id }: TagAppearance): Write {
  const isIts = hasValue("holder_id", id);
  return remove(nameKey(organizationId, kind, name), isIts);
}

export function renameTagParts(
  kind: TagKind,
  before: TagAppearance,
  after: TagAppearance,
): Parts<"name" | "freedName"> {
  if (before.name === after.name) return {};
  return { name: takeTagName(kind, after), freedName: freeTagName(kind, before) };
}

export function markWrite(kind: TagKind, one: TagAppearance, deletedAt: string): Write {
  const row = kind === "TAG" ? "workflow_tag" : "workflow_tag_group";
  const change = deletedChange({ kind: row, id: one.id, deletedAt }, attributesOf("list"));
  return update(tagEntityKey(kind, one), change, isAsRead(one));
}

export function updateTagParts(before: WorkflowTag, after: WorkflowTag, into: TagGroup | undefined) {
  const { organizationId, id } = after;
  const asRead = isAsRead(before);
  const isUnassigned = hasValue("assignments", before.assignments);
  const change = tagRow.change({
    ...changeableAppearance(after),
    groupId: after.groupId,
    isArchived: after.isArchived,
  });
  const left = before.groupId !== null && before.groupId !== after.groupId ? before.groupId : undefined;
  return {
    entity: update(tagKey(organizationId, id), change, into ? allOf(asRead, isUnassigned) : asRead),
    ...renameTagParts("TAG", before, after),
    ...(into && enterParts(after, into, true)),
    left: left === undefined ? undefined : remove(groupedKey(organizationId, left, id)),
  };
}

/** @param isChecked says whether the group's assignments must be as read. */
export function enterParts(
  tag: WorkflowTag,
  group: TagGroup,
  isChecked: boolean,
): Parts<"group" | "grouped"> {
  const { moves, assignments } = group;
  const isUnchanged = isChecked
    ? allOf(hasValue("moves", moves), hasValue("assignments", assignments))
    : undefined;
  const condition = allOf(living, isUnchanged);
  return {
    group: update(tagGroupKey(group.organizationId, group.id), { add: { moves: 1 } }, condition),
    grouped: put(groupedItem(tag.organizationId, group.id, tag.id)),
  };
}
