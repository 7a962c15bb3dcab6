import { ChangedTooOften } from "../../domain/changed-too-often.ts";
import type { DynamoTable } from "../table/dynamo-table.ts";
import type { Write } from "../table/expression.ts";
import { taggedKey, tagKey, workflowKey } from "../table/keys.ts";
import { parseTag } from "./tag-item.ts";
import { parseWorkflow } from "../workflow/workflow-item.ts";

/** Others may change the workflow or the tag meanwhile; each attempt writes unless they did. */
const attemptsMax = 20;

/**
 * Takes a tag from a workflow of which one has been deleted: the workflow names it no longer, the tag's count goes
 * down if the tag lives, and the row between them goes, in one transaction that happens once.
 *
 * @throws {DomainError} `service_unavailable` when both are changed all the time.
 */
export async function detachTag(
  table: DynamoTable,
  organizationId: string,
  tagId: string,
  workflowId: string,
): Promise<void> {
  const row = taggedKey(organizationId, tagId, workflowId);
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const [between, workflow, tag] = await readThree(table, organizationId, tagId, workflowId);
    if (!between && !workflow?.tagIds.includes(tagId)) return;
    if (workflow?.deletedAt === null && tag?.deletedAt === null) return;
    const writes: Write[] = [{ kind: "delete", key: row }];
    if (workflow?.tagIds.includes(tagId)) {
      writes.push({
        kind: "update",
        key: workflowKey(organizationId, workflowId),
        change: { set: { tag_ids: workflow.tagIds.filter((id) => id !== tagId) }, add: { revision: 1 } },
        condition: {
          expression: "attribute_exists(pk) AND revision = :revision",
          values: { revision: workflow.revision },
        },
      });
    }
    if (between && tag) {
      writes[0] = { kind: "delete", key: row, condition: { expression: "attribute_exists(pk)" } };
      writes.push({
        kind: "update",
        key: tagKey(organizationId, tagId),
        change: { add: { workflow_count: -1, assignments: 1 } },
        condition: { expression: "attribute_exists(pk)" },
      });
    }
    if ((await table.transact(writes)).kind === "written") return;
  }
  throw new ChangedTooOften("the workflow or its tag");
}

async function readThree(table: DynamoTable, organizationId: string, tagId: string, workflowId: string) {
  const [between, workflow, tag] = await Promise.all([
    table.get(taggedKey(organizationId, tagId, workflowId)),
    table.get(workflowKey(organizationId, workflowId)),
    table.get(tagKey(organizationId, tagId)),
  ]);
  return [between, workflow && parseWorkflow(workflow), tag && parseTag(tag)] as const;
}
