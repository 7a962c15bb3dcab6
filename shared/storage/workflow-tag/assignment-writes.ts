import type { TagAssignment } from "../../domain/workflow-tag/tag-store.ts";
import type { WorkflowTag } from "../../domain/workflow-tag/workflow-tag.ts";
import { type Condition, isAsRead, isLiving, type Write } from "../table/expression.ts";
import { tagGroupKey, taggedKey, tagKey, workflowKey } from "../table/keys.ts";
import { taggedItem } from "./tag-item.ts";

/**
 * The workflow, two items for each tag added or removed, and one for each group: at most 96 for 19 tags that each
 * replace another.
 *
 * Of a group only `moves` must be as it was read, so that assignments do not conflict with each other.
 */
export function assignmentWrites(assignment: TagAssignment): readonly Write[] {
  const { workflow, tagIds, added, removed, groups } = assignment;
  const { organizationId, id: workflowId } = workflow;
  return [
    {
      kind: "update",
      key: workflowKey(organizationId, workflowId),
      change: { set: { tag_ids: tagIds }, add: { revision: 1 } },
      condition: isAsRead(workflow),
    },
    ...added.flatMap((tag): Write[] => [
      countTag(tag, 1, "is_archived = :no", { no: false }),
      { kind: "put", item: taggedItem(organizationId, tag.id, workflowId) },
    ]),
    ...removed.flatMap((tag): Write[] => [
      countTag(tag, -1),
      { kind: "delete", key: taggedKey(organizationId, tag.id, workflowId) },
    ]),
    ...groups.map(
      (group): Write => ({
        kind: "update",
        key: tagGroupKey(organizationId, group.id),
        change: { add: { assignments: 1 } },
        condition: { expression: `${isLiving} AND moves = :moves`, values: { moves: group.moves } },
      }),
    ),
  ];
}

/** Adds to a tag's workflow count, if the tag lives and is in the group that it was read in. */
function countTag(tag: WorkflowTag, by: 1 | -1, also?: string, values: Condition["values"] = {}): Write {
  const group = tag.groupId === null ? "attribute_not_exists(group_id)" : "group_id = :group";
  return {
    kind: "update",
    key: tagKey(tag.organizationId, tag.id),
    change: { add: { workflow_count: by, assignments: 1 } },
    condition: {
      expression: [isLiving, group, ...(also === undefined ? [] : [also])].join(" AND "),
      values: { ...(tag.groupId === null ? {} : { group: tag.groupId }), ...values },
    },
  };
}
