import { type Caller, requireScope } from "../access/caller.ts";
import type { OrganizationId } from "../organization-id.ts";
import { getWorkflow } from "../workflow/get-workflow.ts";
import type { Workflow } from "../workflow/workflow.ts";
import { describeTags, inListOrder } from "./describe-tags.ts";
import type { TaggingDeps } from "./tag-deps.ts";
import type { DescribedTag } from "./workflow-tag.ts";

/** Returns the tags in list order by workflow id, without deleted ones. */
export async function tagsOfWorkflows(
  deps: Pick<TaggingDeps, "tags">,
  organizationId: OrganizationId,
  workflows: readonly Pick<Workflow, "id" | "tagIds">[],
): Promise<ReadonlyMap<string, readonly DescribedTag[]>> {
  const ids = [...new Set(workflows.flatMap(({ tagIds }) => tagIds))];
  const found = ids.length === 0 ? [] : await deps.tags.findTags(organizationId, ids);
  const described = inListOrder(await describeTags(deps, organizationId, found));
  return new Map(
    workflows.map(({ id, tagIds }) => [id, described.filter(({ tag }) => tagIds.includes(tag.id))]),
  );
}

export async function getWorkflowTags(
  deps: TaggingDeps,
  caller: Caller,
  input: { readonly workflowId: string },
): Promise<readonly DescribedTag[]> {
  requireScope(caller, "read");
  const workflow = await getWorkflow(deps, caller, input);
  return (await tagsOfWorkflows(deps, caller.organizationId, [workflow])).get(workflow.id) ?? [];
}
