import type { OrganizationId } from "../../domain/organization-id.ts";
import type { TagAppearance, TagGroup, WorkflowTag } from "../../domain/workflow-tag/workflow-tag.ts";
import { deletedChange } from "../entity/mark-deleted.ts";
import { boundedCountWrite } from "../table/counters.ts";
import type { ListTransacted } from "../table/dynamo-table.ts";
import { type Condition, isAsRead, isLiving, isNew, type Write } from "../table/expression.ts";
import { attributesOf } from "../table/index-attributes.ts";
import type { Key } from "../table/item.ts";
import { groupedKey, nameKey, tagGroupKey, tagKey, tagLimitKey } from "../table/keys.ts";
import { changeableAppearance, groupedItem, tagRow } from "./tag-item.ts";

export type TagKind = "TAG" | "TAG_GROUP";

/** A write of a transaction with a name, by which a failed condition is recognized. */
export interface NamedWrite {
  readonly name: "entity" | "name" | "limit" | "other";
  readonly write: Write;
}

export function entityKey(kind: TagKind, { organizationId, id }: TagAppearance): Key {
  return kind === "TAG" ? tagKey(organizationId, id) : tagGroupKey(organizationId, id);
}

/** The row that makes the name unique. */
export function takeName(kind: TagKind, { organizationId, name, id }: TagAppearance): NamedWrite {
  const item = { ...nameKey(organizationId, kind, name), kind: "workflow_tag_name", holder_id: id };
  return {
    name: "name",
    write: { kind: "put", item, condition: isNew },
  };
}

export function freeName(kind: TagKind, { organizationId, name, id }: TagAppearance): NamedWrite {
  const condition = { expression: "holder_id = :holder", values: { holder: id } };
  const key = nameKey(organizationId, kind, name);
  return { name: "other", write: { kind: "delete", key, condition } };
}

/** Adds to a number that has an upper bound. */
export function limitWrite(
  kind: TagKind,
  organizationId: OrganizationId,
  by: 1 | -1,
  max: number,
): NamedWrite {
  const row = { ...tagLimitKey(organizationId, kind), kind: "limit" };
  return { name: by === 1 ? "limit" : "other", write: boundedCountWrite(row, by, max) };
}

/** Takes the new name and frees the old one, when they differ. */
export function renameWrites(
  kind: TagKind,
  before: TagAppearance,
  after: TagAppearance,
): readonly NamedWrite[] {
  return before.name === after.name ? [] : [takeName(kind, after), freeName(kind, before)];
}

/** Marks it as deleted and due, and removes it from the lists. */
export function markWrite(kind: TagKind, one: TagAppearance, deletedAt: string): NamedWrite {
  const row = kind === "TAG" ? "workflow_tag" : "workflow_tag_group";
  const change = deletedChange({ kind: row, id: one.id, deletedAt }, attributesOf("list"));
  const key = entityKey(kind, one);
  return { name: "entity", write: { kind: "update", key, change, condition: isAsRead(one) } };
}

export function updateTagWrites(before: WorkflowTag, after: WorkflowTag, into: TagGroup | undefined) {
  const { organizationId, id } = after;
  const asRead = isAsRead(before);
  const entity: NamedWrite = {
    name: "entity",
    write: {
      kind: "update",
      key: tagKey(organizationId, id),
      change: tagRow.change({
        ...changeableAppearance(after),
        groupId: after.groupId,
        isArchived: after.isArchived,
      }),
      condition: into
        ? {
            expression: `${asRead.expression} AND assignments = :assignments`,
            values: { ...asRead.values, assignments: before.assignments },
          }
        : asRead,
    },
  };
  const left = before.groupId !== null && before.groupId !== after.groupId ? before.groupId : undefined;
  return [
    entity,
    ...renameWrites("TAG", before, after),
    ...(into ? [enterGroup(into, true), putGrouped(after, into)] : []),
    ...(left === undefined ? [] : [other({ kind: "delete", key: groupedKey(organizationId, left, id) })]),
  ];
}

/** @param isChecked whether the tags of the group must have the same assignments as when it was read. */
export function enterGroup(group: TagGroup, isChecked: boolean): NamedWrite {
  const condition: Condition = isChecked
    ? {
        expression: `${isLiving} AND moves = :moves AND assignments = :assignments`,
        values: { moves: group.moves, assignments: group.assignments },
      }
    : { expression: isLiving };
  const key = tagGroupKey(group.organizationId, group.id);
  return other({ kind: "update", key, change: { add: { moves: 1 } }, condition });
}

export function putGrouped(tag: WorkflowTag, group: TagGroup): NamedWrite {
  return other({ kind: "put", item: groupedItem(tag.organizationId, group.id, tag.id) });
}

function other(write: Write): NamedWrite {
  return { name: "other", write };
}

/** The failed conditions of a transaction by the names of its writes; undefined when it is written. */
export function refused(outcome: ListTransacted, writes: readonly NamedWrite[]) {
  if (outcome.kind === "written") return undefined;
  const places = [...outcome.failed];
  return {
    has: (name: NamedWrite["name"]) => places.some(([place]) => writes[place]?.name === name),
    nameHolder: () => places.find(([place]) => writes[place]?.name === "name")?.[1]?.holder_id,
  };
}
