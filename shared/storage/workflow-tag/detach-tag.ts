import type { OrganizationId } from "../../domain/organization-id.ts";
import type { Workflow } from "../../domain/workflow/workflow.ts";
import type { WorkflowTag } from "../../domain/workflow-tag/workflow-tag.ts";
import { writeAsRead } from "../entity/update-entity.ts";
import type { DynamoTable, StoreDeps } from "../table/dynamo-table.ts";
import { allOf, hasValue, isThere, remove, update, type Write } from "../table/expression.ts";
import { taggedKey, tagKey, workflowKey } from "../table/keys.ts";
import { parseWorkflow, workflowRow } from "../workflow/workflow-item.ts";
import { parseTag } from "./tag-item.ts";

/** Does nothing unless one of the two has been deleted. @throws {ChangedTooOften} */
export async function detachTag(
  deps: StoreDeps,
  organizationId: OrganizationId,
  tagId: string,
  workflowId: string,
): Promise<void> {
  const row = taggedKey(organizationId, tagId, workflowId);
  const what = "the workflow or its tag";
  await writeAsRead<undefined>(deps, { what }, async () => {
    const [between, workflow, tag] = await readThree(deps.table, organizationId, tagId, workflowId);
    const isNamed = workflow?.tagIds.includes(tagId) === true;
    if (!between && !isNamed) return { refused: undefined };
    if (workflow?.deletedAt === null && tag?.deletedAt === null) return { refused: undefined };
    const isCounted = between !== undefined && tag !== undefined;
    const parts = {
      between: remove(row, isCounted ? isThere : undefined),
      workflow: isNamed ? unnameWrite(workflow, tagId) : undefined,
      tag: isCounted ? uncountWrite(tag) : undefined,
    };
    return { parts, outcome: undefined, result: null };
  });
}

function unnameWrite({ organizationId, id, tagIds, revision }: Workflow, tagId: string): Write {
  const change = workflowRow.change({ tagIds: tagIds.filter((each) => each !== tagId) });
  const isSame = hasValue("revision", revision);
  return update(workflowKey(organizationId, id), change, allOf(isThere, isSame));
}

function uncountWrite({ organizationId, id }: WorkflowTag): Write {
  const change = { add: { workflow_count: -1, assignments: 1 } };
  return update(tagKey(organizationId, id), change, isThere);
}

async function readThree(
  table: DynamoTable,
  organizationId: OrganizationId,
  tagId: string,
  workflowId: string,
) {
  const [between, workflow, tag] = await Promise.all([
    table.get(taggedKey(organizationId, tagId, workflowId)),
    table.get(workflowKey(organizationId, workflowId)),
    table.get(tagKey(organizationId, tagId)),
  ]);
  return [between, workflow && parseWorkflow(workflow), tag && parseTag(tag)] as const;
}
