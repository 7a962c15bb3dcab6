import { DomainError } from "../errors.ts";
import type { TaggingDeps } from "./tag-deps.ts";
import type { TagGroup, WorkflowTag } from "./workflow-tag.ts";

const movedWorkflowsMax = 10_000;

const namedMax = 100;

const workflowsAtOnce = 400;

/** @throws {DomainError} `conflict` with the workflows that have both tags in `details`, or `limit_reached`. */
export async function requireNoClash(deps: TaggingDeps, tag: WorkflowTag, group: TagGroup): Promise<void> {
  const { organizationId } = tag;
  const workflowIds = await deps.tags.workflowIdsOf(organizationId, tag.id, movedWorkflowsMax + 1);
  if (workflowIds.length > movedWorkflowsMax) {
    throw new DomainError(
      "limit_reached",
      `a tag that more than ${movedWorkflowsMax} workflows have cannot be moved into a group`,
      { details: { max: movedWorkflowsMax } },
    );
  }
  const tagIdsOfWorkflow = await othersByWorkflow(deps, tag, workflowIds);
  const otherIds = [...new Set([...tagIdsOfWorkflow.values()].flat())];
  const others = await deps.tags.findTags(organizationId, otherIds);
  const inGroup = new Set(others.filter(({ groupId }) => groupId === group.id).map(({ id }) => id));
  const clashing = [...tagIdsOfWorkflow].filter(([, ids]) => ids.some((id) => inGroup.has(id)));
  if (clashing.length === 0) return;
  throw new DomainError(
    "conflict",
    "workflows that have this tag have another tag of that group; take one of the two from them first",
    { details: { workflow_ids: clashing.slice(0, namedMax).map(([workflowId]) => workflowId) } },
  );
}

async function othersByWorkflow(deps: TaggingDeps, tag: WorkflowTag, workflowIds: readonly string[]) {
  const others = new Map<string, readonly string[]>();
  for (let start = 0; start < workflowIds.length; start += workflowsAtOnce) {
    const some = workflowIds.slice(start, start + workflowsAtOnce);
    for (const { id, tagIds } of await deps.workflows.findTagIds(tag.organizationId, some)) {
      others.set(
        id,
        tagIds.filter((tagId) => tagId !== tag.id),
      );
    }
  }
  return others;
}
