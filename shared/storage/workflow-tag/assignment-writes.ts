import type { TagAssignment } from "../../domain/workflow-tag/tag-store.ts";
import type { WorkflowTag } from "../../domain/workflow-tag/workflow-tag.ts";
import { type Condition, isAsRead, isLiving, put, remove, update, type Write } from "../table/expression.ts";
import { tagGroupKey, taggedKey, tagKey, workflowKey } from "../table/keys.ts";
import { taggedItem } from "./tag-item.ts";

/**
 * There are at most 96 items for 19 tags that each replace another. Of a group only `moves` must be as read, so that
 * assignments do not conflict with each other.
 */
export function assignmentParts(assignment: TagAssignment) {
  const { workflow, tagIds, added, removed, groups } = assignment;
  const { organizationId, id: workflowId } = workflow;
  const change = { set: { tag_ids: tagIds }, add: { revision: 1 } };
  return {
    workflow: update(workflowKey(organizationId, workflowId), change, isAsRead(workflow)),
    added: added.flatMap((tag) => [
      countTag(tag, 1, "is_archived = :no", { no: false }),
      put(taggedItem(organizationId, tag.id, workflowId)),
    ]),
    removed: removed.flatMap((tag) => [
      countTag(tag, -1),
      remove(taggedKey(organizationId, tag.id, workflowId)),
    ]),
    groups: groups.map(({ id, moves }) =>
      update(
        tagGroupKey(organizationId, id),
        { add: { assignments: 1 } },
        { expression: `${isLiving} AND moves = :moves`, values: { moves } },
      ),
    ),
  };
}

/** The tag must live and be in the group that it was read in. */
function countTag(tag: WorkflowTag, by: 1 | -1, also?: string, values: Condition["values"] = {}): Write {
  const group = tag.groupId === null ? "attribute_not_exists(group_id)" : "group_id = :group";
  const change = { add: { workflow_count: by, assignments: 1 } };
  return update(tagKey(tag.organizationId, tag.id), change, {
    expression: [isLiving, group, ...(also === undefined ? [] : [also])].join(" AND "),
    values: { ...(tag.groupId === null ? {} : { group: tag.groupId }), ...values },
  });
}
