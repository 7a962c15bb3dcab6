import { type Caller, requireScope } from "../access/caller.ts";
import { isoTimestamp } from "../clock.ts";
import { notFound, required } from "../entity/not-found.ts";
import { DomainError } from "../errors.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import type { Workflow } from "../workflow/workflow.ts";
import type { WorkflowStore } from "../workflow/workflow-store.ts";
import { assignTags } from "../workflow-tag/assign-tags.ts";
import type { TaggingDeps } from "../workflow-tag/tag-deps.ts";
import { copyName, duplicateTrajectory } from "./duplicate-trajectory.ts";
import type { TrajectoryDeps } from "./trajectory-deps.ts";

export interface DuplicateWorkflowDeps extends TrajectoryDeps, Pick<TaggingDeps, "tags"> {
  readonly workflows: Pick<WorkflowStore, "find" | "findTagIds" | "create">;
}

export interface DuplicateWorkflowInput {
  readonly workflowId: string;
  readonly name?: string;
  readonly includeTrajectories: boolean;
}

/** Trajectories are copied one after the other, within one request. */
const copiedTrajectoriesMax = 100;

const tagsAtOnce = 19;

/**
 * An attempt under the same idempotency record continues where the previous one ended.
 * @throws {DomainError} `insufficient_scope`, `not_found`, or `limit_reached` for too many trajectories.
 */
export async function duplicateWorkflow(
  deps: DuplicateWorkflowDeps,
  caller: Caller,
  { workflowId, name, includeTrajectories }: DuplicateWorkflowInput,
  idempotency?: Idempotency,
): Promise<Workflow> {
  requireScope(caller, "write");
  const { organizationId } = caller;
  const original = required(await deps.workflows.find(organizationId, workflowId), "workflow", workflowId);
  const trajectoryIds = includeTrajectories ? await trajectoriesOf(deps, original) : [];
  const id = idempotency?.ids[0] ?? deps.ids.uuid7();
  const isThere =
    idempotency?.repeat === true && (await deps.workflows.find(organizationId, id)) !== undefined;
  if (!isThere) await createCopy(deps, caller, { ...original, id, name: name ?? copyName(original.name) });
  await copyTags(deps, caller, original, id);
  const copied = isThere
    ? await deps.trajectories.list(organizationId, { workflowId: id }, noPage, none)
    : undefined;
  for (const trajectoryId of trajectoryIds.slice(copied?.total ?? 0)) {
    await duplicateTrajectory(deps, caller, { trajectoryId, into: id });
  }
  const copy = required(await deps.workflows.find(organizationId, id), "workflow", id);
  return copy;
}

const noPage = { skip: 0, limit: 1 };
const none = { withData: false };

async function trajectoriesOf(
  { trajectories }: Pick<DuplicateWorkflowDeps, "trajectories">,
  { organizationId, id: workflowId }: Workflow,
): Promise<readonly string[]> {
  const page = { skip: 0, limit: copiedTrajectoriesMax };
  const { items, total } = await trajectories.list(organizationId, { workflowId }, page, none);
  if (total > copiedTrajectoriesMax) {
    const message = `at most ${copiedTrajectoriesMax} trajectories are copied with a workflow; it has ${total}`;
    throw new DomainError("limit_reached", message, { details: { max: copiedTrajectoriesMax } });
  }
  return items.map(({ id }) => id).reverse();
}

async function createCopy(
  deps: Pick<DuplicateWorkflowDeps, "workflows" | "clock">,
  { userId }: Caller,
  workflow: Workflow,
): Promise<void> {
  const createdAt = isoTimestamp(deps.clock.now());
  const outcome = await deps.workflows.create({
    ...workflow,
    userId,
    tagIds: [],
    createdAt,
    updatedAt: createdAt,
    promptSetAt: createdAt,
    revision: 1,
    edition: 0,
  });
  if (outcome.kind === "configuration_missing") throw notFound("model configuration", outcome.id);
}

async function copyTags(
  deps: Pick<DuplicateWorkflowDeps, "workflows" | "tags" | "clock">,
  caller: Caller,
  { organizationId, tagIds }: Workflow,
  workflowId: string,
): Promise<void> {
  if (tagIds.length === 0) return;
  const tags = await deps.tags.findTags(organizationId, tagIds);
  const copied = tagIds.filter((tagId) => tags.some(({ id, isArchived }) => id === tagId && !isArchived));
  for (let start = 0; start < copied.length; start += tagsAtOnce) {
    await assignTags(deps, caller, { workflowId, tagIds: copied.slice(start, start + tagsAtOnce) });
  }
}
