import type { OrganizationId } from "../organization-id.ts";
import type { WaitingRuns } from "../workflow/workflow-deps.ts";
import type { WorkflowStore } from "../workflow/workflow-store.ts";
import type { TagStore } from "../workflow-tag/tag-store.ts";
import { finishDeletionOf } from "./finish-deletion.ts";

export interface FinishWorkflowDeletionDeps {
  readonly workflows: Pick<WorkflowStore, "findDeleted" | "remove">;
  readonly tags: Pick<TagStore, "detach">;
  /** Absent means that the workflow has no runs. */
  readonly waitingRuns?: WaitingRuns;
}

/** Detaching the tags decrements their counts. */
export async function finishWorkflowDeletion(
  deps: FinishWorkflowDeletionDeps,
  organizationId: OrganizationId,
  workflowId: string,
): Promise<boolean> {
  return await finishDeletionOf(deps.workflows, organizationId, workflowId, async ({ tagIds }) => {
    if ((await deps.waitingRuns?.cancelWaitingRuns(organizationId, workflowId)) === false) return false;
    for (const tagId of tagIds) await deps.tags.detach(organizationId, tagId, workflowId);
    return true;
  });
}
