import type { TagAssignment } from "../../domain/workflow-tag/tag-store.ts";
import type { WorkflowTag } from "../../domain/workflow-tag/workflow-tag.ts";
import { withNextEdition } from "../entity/edition-writes.ts";
import {
  allOf,
  type Condition,
  hasValue,
  isAsRead,
  living,
  put,
  remove,
  update,
  type Write,
} from "../table/expression.ts";
import { tagGroupKey, taggedKey, tagKey, workflowKey } from "../table/keys.ts";
import { taggedItem } from "./tag-item.ts";

/**
 * There are at most 96 items for 19 tags that each replace another. Of a group only `moves` must be as read, so that
 * assignments do not conflict with each other.
 */
export function assignmentParts(assignment: TagAssignment) {
  const { workflow, tagIds, added, removed, groups } = assignment;
  const { organizationId, id: workflowId } = workflow;
  const change = withNextEdition({ set: { tag_ids: tagIds }, add: { revision: 1 } });
  return {
    workflow: update(workflowKey(organizationId, workflowId), change, isAsRead(workflow)),
    added: added.flatMap((tag) => [
      countTag(tag, 1, hasValue("is_archived", false)),
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
        allOf(living, hasValue("moves", moves)),
      ),
    ),
  };
}

/** The tag must exist and be in the group that it was read in. */
function countTag(tag: WorkflowTag, by: 1 | -1, also?: Condition): Write {
  const change = { add: { workflow_count: by, assignments: 1 } };
  const condition = allOf(living, hasValue("group_id", tag.groupId), also);
  return update(tagKey(tag.organizationId, tag.id), change, condition);
}
