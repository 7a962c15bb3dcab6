import type { Hono } from "hono";
import { workflowOperations } from "../../shared/contract/operations/workflow-operations.ts";
import { deleteWorkflow } from "../../shared/domain/entity/delete-entity.ts";
import { getEntity, getPage } from "../../shared/domain/entity/read-entities.ts";
import { createWorkflow } from "../../shared/domain/workflow/create-workflow.ts";
import { listWorkflowVersions } from "../../shared/domain/workflow/list-workflow-versions.ts";
import { updateWorkflow } from "../../shared/domain/workflow/update-workflow.ts";
import type { Workflow } from "../../shared/domain/workflow/workflow.ts";
import type { WorkflowDeps } from "../../shared/domain/workflow/workflow-deps.ts";
import { assignTags } from "../../shared/domain/workflow-tag/assign-tags.ts";
import { bulkAssignTags } from "../../shared/domain/workflow-tag/bulk-assign-tags.ts";
import { getWorkflowTags, tagsOfWorkflows } from "../../shared/domain/workflow-tag/read-tags.ts";
import type { TagDeps } from "../../shared/domain/workflow-tag/tag-deps.ts";
import { unassignTag } from "../../shared/domain/workflow-tag/unassign-tag.ts";
import { boundedResponse } from "../../shared/http/bounded-response.ts";
import { createCallersApp } from "../../shared/http/create-callers-app.ts";
import type { HttpDeps } from "../../shared/http/http-deps.ts";
import type { HttpEnv } from "../../shared/http/http-env.ts";
import { presentTagged } from "../../shared/present/present-workflow.ts";
import { presentIncludedTags, presentTag } from "../../shared/present/present-workflow-tag.ts";
import { presentBulkAssignment, presentVersion, presentWorkflows } from "./present-workflows.ts";
import { createInput, updateInput, workflowFilter } from "./read-input.ts";

export interface WorkflowsDeps
  extends HttpDeps,
    Pick<WorkflowDeps, "workflows" | "inputChecker">,
    Pick<TagDeps, "tags"> {}

export function createWorkflowsApp(deps: WorkflowsDeps): Hono<HttpEnv> {
  /** The tags are read again, also for a recorded response. */
  const present = async (workflow: Workflow) =>
    presentTagged(workflow, await tagsOfWorkflows(deps, workflow.organizationId, [workflow]));

  return createCallersApp(deps, workflowOperations, {
    listWorkflows: async ({ caller, query }) => {
      const page = await getPage(deps.workflows, caller, workflowFilter(query), query);
      const tags =
        query.include_tags || query.include
          ? await tagsOfWorkflows(deps, caller.organizationId, page.items)
          : undefined;
      const related = query.include && tags && { included: presentIncludedTags(tags.values()) };
      return { ...presentWorkflows(page, query, tags), ...related };
    },
    createWorkflow: async ({ body, write, tagged }) =>
      tagged(await write(createWorkflow, createInput(body)), present),
    getWorkflow: async ({ caller, path, query, tagged }) =>
      tagged(await getEntity(deps.workflows, caller, "workflow", path.workflow_id), async (workflow) => {
        const tags = await tagsOfWorkflows(deps, workflow.organizationId, [workflow]);
        const related = query.include && { included: presentIncludedTags(tags.values()) };
        return { ...presentTagged(workflow, tags), ...related };
      }),
    updateWorkflow: async ({ path, body, ifEdition, write, tagged }) =>
      tagged(await write(updateWorkflow, { ...updateInput(path.workflow_id, body), ifEdition }), present),
    deleteWorkflow: ({ path, ifEdition, write }) =>
      write(deleteWorkflow, { id: path.workflow_id, ifEdition }),
    listWorkflowVersions: async ({ caller, path, query: page }) => {
      const input = { workflowId: path.workflow_id, page };
      return boundedResponse((await listWorkflowVersions(deps, caller, input)).map(presentVersion));
    },
    listTagsOfWorkflow: async ({ caller, path }) =>
      (await getWorkflowTags(deps, caller, { workflowId: path.workflow_id })).map(presentTag),
    assignTags: async ({ caller, path, body, ifEdition, write }) => {
      const { workflow_id: workflowId } = path;
      const tagIds = await write(assignTags, { workflowId, tagIds: body.tag_ids, ifEdition });
      const workflow = { id: workflowId, tagIds };
      const tags = await tagsOfWorkflows(deps, caller.organizationId, [workflow]);
      return (tags.get(workflowId) ?? []).map(presentTag);
    },
    unassignTag: ({ path, ifEdition, write }) =>
      write(unassignTag, { workflowId: path.workflow_id, tagId: path.tag_id, ifEdition }),
    bulkAssignTags: async ({ c, caller, body, idempotent }) => {
      const input = { workflowIds: body.workflow_ids, tagIds: body.tag_ids };
      const result = await idempotent(() => bulkAssignTags(deps, caller, input));
      return result.errors.length === 0 ? c.body(null, 204) : presentBulkAssignment(result);
    },
  });
}
