import type { OrganizationId } from "../access/organization-id.ts";
import type { WaitingRuns } from "../workflow/waiting-runs.ts";
import type { WorkflowStore } from "../workflow/workflow-store.ts";
import type { TagStore } from "../workflow-tag/tag-store.ts";

export interface FinishWorkflowDeletionDeps {
  readonly workflows: Pick<WorkflowStore, "findDeleted" | "remove">;
  readonly tags: Pick<TagStore, "detach">;
  /** Absent where there are no runs. */
  readonly waitingRuns?: WaitingRuns;
}

/**
 * Finishes a workflow's deletion: cancels the runs that wait, removes its tags so that their counts are decremented,
 * and removes its earlier prompts and its row.
 *
 * The row goes last and every step is idempotent, so an interrupted deletion can start from the top.
 *
 * @returns false when there was nothing left to do.
 */
export async function finishWorkflowDeletion(
  deps: FinishWorkflowDeletionDeps,
  organizationId: OrganizationId,
  workflowId: string,
): Promise<boolean> {
  const workflow = await deps.workflows.findDeleted(organizationId, workflowId);
  if (!workflow) return false;
  await deps.waitingRuns?.cancelWaitingRuns(organizationId, workflowId);
  for (const tagId of workflow.tagIds) await deps.tags.detach(organizationId, tagId, workflowId);
  await deps.workflows.remove(organizationId, workflowId);
  return true;
}
