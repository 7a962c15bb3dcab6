import { type Caller, requireScope } from "../access/caller.ts";
import { type Edit, requireEdition } from "../entity/edition.ts";
import { notFound, required } from "../entity/not-found.ts";
import { DomainError, limitReached } from "../errors.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import { InvalidInput, valueError } from "../invalid-input.ts";
import type { OrganizationId } from "../organization-id.ts";
import { overtaken, untilWritten } from "../until-written.ts";
import type { Workflow } from "../workflow/workflow.ts";
import type { TaggingDeps } from "./tag-deps.ts";
import type { TagAssignment } from "./tag-store.ts";
import { type TagGroup, tagsOfWorkflowMax, type WorkflowTag } from "./workflow-tag.ts";

export interface AssignTagsInput extends Edit {
  readonly workflowId: string;
  readonly tagIds: readonly string[];
}

/**
 * Adds tags to a workflow, all or none; each replaces the workflow's other tag of its group. Tags that the workflow
 * already has, archived or not, change nothing.
 *
 * @returns the ids of all the workflow's tags afterwards.
 * @throws {InvalidInput} for two tags of one group.
 * @throws {DomainError} `not_found`, `changed_meanwhile`, `tag_archived` or `limit_reached`.
 */
export async function assignTags(
  deps: TaggingDeps,
  caller: Caller,
  input: AssignTagsInput,
  idempotency?: Idempotency,
): Promise<readonly string[]> {
  requireScope(caller, "write");
  return await untilWritten(deps, {
    what: "the workflow",
    read: () => plan(deps, caller.organizationId, input),
    decide: async (assignment) => {
      // The write requires the revision read, which each edit raises, too.
      requireEdition(assignment.workflow, input);
      const isNothing = idempotency === undefined && assignment.added.length === 0;
      const isWritten = isNothing || (await deps.tags.assign({ ...assignment, idempotency }));
      return isWritten ? assignment.tagIds : overtaken;
    },
  });
}

/** The order of the reads matters, because the write requires that no tag has moved into one of the groups since. */
async function plan(
  { tags, workflows }: Pick<TaggingDeps, "tags" | "workflows">,
  organizationId: OrganizationId,
  { workflowId, tagIds }: AssignTagsInput,
): Promise<TagAssignment> {
  const wanted = await requireTags({ tags }, organizationId, tagIds).catch(async (error: unknown) => {
    // The workflow is checked first, so that nothing is revealed about another organization's workflow.
    if (!(await workflows.find(organizationId, workflowId))) throw notFound("workflow", workflowId);
    throw error;
  });
  const groups = await tags.findGroups(organizationId, groupIdsOf(wanted));
  requireOneOfEachGroup(wanted, groups, tagIds);
  const workflow = required(await workflows.find(organizationId, workflowId), "workflow", workflowId);
  const present = workflow.tagIds.length === 0 ? [] : await tags.findTags(organizationId, workflow.tagIds);
  return assignmentOf(workflow, present, wanted, groups);
}

function assignmentOf(
  workflow: Workflow,
  present: readonly WorkflowTag[],
  wanted: readonly WorkflowTag[],
  groups: readonly TagGroup[],
): TagAssignment {
  const added = wanted.filter(({ id }) => !workflow.tagIds.includes(id));
  const archived = added.find(({ isArchived }) => isArchived);
  if (archived) throw tagArchived(archived.id);
  const living = new Set(groups.map(({ id }) => id));
  const taken = new Set(groupIdsOf(added).filter((id) => living.has(id)));
  const removed = present.filter(({ groupId }) => groupId !== null && taken.has(groupId));
  const kept = present.filter((tag) => !removed.includes(tag));
  if (kept.length + added.length > tagsOfWorkflowMax) {
    throw limitReached("tags", tagsOfWorkflowMax, "a workflow");
  }
  return {
    workflow,
    // The tags are in the given order, without deleted ones.
    tagIds: [
      ...workflow.tagIds.filter((tagId) => kept.some(({ id }) => id === tagId)),
      ...added.map(({ id }) => id),
    ],
    added,
    removed,
    groups: groups.filter(({ id }) => taken.has(id)),
  };
}

/** @throws {DomainError} `not_found` for the first missing one. */
export async function requireTags(
  { tags }: Pick<TaggingDeps, "tags">,
  organizationId: OrganizationId,
  tagIds: readonly string[],
): Promise<readonly WorkflowTag[]> {
  const ids = [...new Set(tagIds)];
  const found = new Map((await tags.findTags(organizationId, ids)).map((tag) => [tag.id, tag]));
  return ids.map((id) => {
    const tag = found.get(id);
    if (tag === undefined) throw notFound("workflow tag", id);
    return tag;
  });
}

function requireOneOfEachGroup(
  wanted: readonly WorkflowTag[],
  groups: readonly TagGroup[],
  given: readonly string[],
): void {
  for (const group of groups) {
    const [, second] = wanted.filter(({ groupId }) => groupId === group.id);
    if (second === undefined) continue;
    const error = `two tags of the group ${group.id}, of which a workflow has at most one`;
    throw new InvalidInput([valueError(["body", "tag_ids", given.indexOf(second.id)], error, second.id)]);
  }
}

function groupIdsOf(tags: readonly WorkflowTag[]): readonly string[] {
  return [...new Set(tags.flatMap(({ groupId }) => (groupId === null ? [] : [groupId])))];
}

function tagArchived(tagId: string): DomainError {
  return new DomainError(
    "tag_archived",
    `the workflow tag ${tagId} is archived; POST /v1/workflow-tags/${tagId}/unarchive takes it back`,
    { details: { tag_id: tagId } },
  );
}
