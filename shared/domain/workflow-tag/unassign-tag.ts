import { type Caller, requireScope } from "../access/caller.ts";
import { ChangedTooOften } from "../changed-too-often.ts";
import { DomainError } from "../errors.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import { workflowNotFound } from "../workflow/workflow-deps.ts";
import { attemptsMax, type TaggingDeps } from "./tag-deps.ts";

/**
 * Removes a tag from a workflow.
 *
 * @throws {DomainError} `insufficient_scope`, `not_found` for the workflow or for a tag that it does not have, or
 * `service_unavailable` when it keeps changing.
 * @throws {AlreadyOnRecord}
 */
export async function unassignTag(
  { tags, workflows }: TaggingDeps,
  caller: Caller,
  input: {
    readonly workflowId: string;
    readonly tagId: string;
    readonly idempotency?: Idempotency | undefined;
  },
): Promise<void> {
  requireScope(caller, "write");
  const { workflowId, tagId, idempotency } = input;
  const { organizationId } = caller;
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const workflow = await workflows.find(organizationId, workflowId);
    if (workflow === undefined) throw workflowNotFound(workflowId);
    const removed = workflow.tagIds.includes(tagId) ? await tags.findTags(organizationId, [tagId]) : [];
    if (removed.length === 0) {
      throw new DomainError("not_found", `the workflow ${workflowId} has no tag ${tagId}`);
    }
    const tagIds = workflow.tagIds.filter((id) => id !== tagId);
    if (await tags.assign({ workflow, tagIds, added: [], removed, groups: [], idempotency })) return;
  }
  throw new ChangedTooOften("the workflow");
}
