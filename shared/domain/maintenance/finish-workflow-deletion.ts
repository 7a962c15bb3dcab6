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
 * Does what a deletion left for later: cancels the runs that wait, takes the workflow's tags from it so that their
 * counts go down, and removes its earlier prompts and its row.
 *
 * The row goes last, and every step can be done again, so whoever finds the row can begin from the top.
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
