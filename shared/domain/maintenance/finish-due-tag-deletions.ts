import type { Clock } from "../clock.ts";
import type { WorkflowStore } from "../workflow/workflow-store.ts";
import type { TagStore } from "../workflow-tag/tag-store.ts";
import { forEachBounded } from "./bounded-parallel.ts";
import { projectorGraceMs } from "./finish-due-deletions.ts";
import {
  type FinishTagDeletionDeps,
  finishTagDeletion,
  finishTagGroupDeletion,
} from "./finish-tag-deletion.ts";
import { type FinishWorkflowDeletionDeps, finishWorkflowDeletion } from "./finish-workflow-deletion.ts";

const perRun = 100;

export interface FinishDueTagDeletionsDeps extends FinishWorkflowDeletionDeps, FinishTagDeletionDeps {
  readonly workflows: Pick<WorkflowStore, "findDeleted" | "remove" | "listDeletedDue">;
  readonly tags: FinishTagDeletionDeps["tags"] &
    Pick<TagStore, "listDeletedTagsDue" | "listDeletedGroupsDue">;
  readonly clock: Pick<Clock, "now">;
}

/**
 * Finishes the deletions of workflows, tags and groups of tags that the projector gave up or never heard of; at most
 * 100 of each.
 *
 * @returns how many.
 */
export async function finishDueTagDeletions(deps: FinishDueTagDeletionsDeps): Promise<number> {
  const before = deps.clock.now() - projectorGraceMs;
  const isOverdue = ({ deletedAt }: { readonly deletedAt: string | null }) =>
    deletedAt !== null && Date.parse(deletedAt) < before;
  const workflows = (await deps.workflows.listDeletedDue(perRun)).filter(isOverdue);
  const tags = (await deps.tags.listDeletedTagsDue(perRun)).filter(isOverdue);
  const groups = (await deps.tags.listDeletedGroupsDue(perRun)).filter(isOverdue);
  const finished = [
    forEachBounded(workflows, async ({ organizationId, id }) => {
      await finishWorkflowDeletion(deps, organizationId, id);
    }),
    forEachBounded(tags, async ({ organizationId, id }) => {
      await finishTagDeletion(deps, organizationId, id);
    }),
    forEachBounded(groups, async ({ organizationId, id }) => {
      await finishTagGroupDeletion(deps, organizationId, id);
    }),
  ];
  const [ofWorkflows = 0, ofTags = 0, ofGroups = 0] = await Promise.all(finished);
  return ofWorkflows + ofTags + ofGroups;
}
