import type { Hono } from "hono";
import { workflowOperations } from "../../shared/contract/operations/workflow-operations.ts";
import { createWorkflow } from "../../shared/domain/workflow/create-workflow.ts";
import { deleteWorkflow } from "../../shared/domain/workflow/delete-workflow.ts";
import { getWorkflow } from "../../shared/domain/workflow/get-workflow.ts";
import { listWorkflowVersions } from "../../shared/domain/workflow/list-workflow-versions.ts";
import { listWorkflows } from "../../shared/domain/workflow/list-workflows.ts";
import { updateWorkflow } from "../../shared/domain/workflow/update-workflow.ts";
import type { Workflow } from "../../shared/domain/workflow/workflow.ts";
import type { WorkflowDeps } from "../../shared/domain/workflow/workflow-deps.ts";
import { assignTags } from "../../shared/domain/workflow-tag/assign-tags.ts";
import { bulkAssignTags } from "../../shared/domain/workflow-tag/bulk-assign-tags.ts";
import type { TagDeps } from "../../shared/domain/workflow-tag/tag-deps.ts";
import { getWorkflowTags, tagsOfWorkflows } from "../../shared/domain/workflow-tag/tags-of-workflows.ts";
import { unassignTag } from "../../shared/domain/workflow-tag/unassign-tag.ts";
import { authenticate } from "../../shared/http/access/authenticate.ts";
import { limitRate } from "../../shared/http/access/limit-rate.ts";
import { boundedResponse } from "../../shared/http/bounded-response.ts";
import { createHttpApp } from "../../shared/http/create-http-app.ts";
import type { HttpDeps } from "../../shared/http/http-deps.ts";
import type { HttpEnv } from "../../shared/http/http-env.ts";
import { serveOperations } from "../../shared/http/serve-operations.ts";
import { presentTagged } from "../../shared/present/present-workflow.ts";
import { presentTag } from "../../shared/present/present-workflow-tag.ts";
import { presentBulkAssignment, presentVersion, presentWorkflows } from "./present-workflows.ts";
import { createInput, updateInput, workflowFilter } from "./read-input.ts";

export interface WorkflowsDeps
  extends HttpDeps,
    Pick<WorkflowDeps, "workflows" | "inputChecker">,
    Pick<TagDeps, "tags"> {}

export function createWorkflowsApp(deps: WorkflowsDeps): Hono<HttpEnv> {
  const app = createHttpApp(deps);
  app.use(authenticate(deps), limitRate(deps));

  /** The tags are read again, also for a recorded response. */
  const present = async (workflow: Workflow) =>
    presentTagged(workflow, await tagsOfWorkflows(deps, workflow.organizationId, [workflow]));

  serveOperations(app, deps, workflowOperations, {
    listWorkflows: async ({ caller, query }) => {
      const page = await listWorkflows(deps, caller, { filter: workflowFilter(query), page: query });
      const tags = query.include_tags
        ? await tagsOfWorkflows(deps, caller.organizationId, page.items)
        : undefined;
      return presentWorkflows(page, query, tags);
    },
    createWorkflow: async ({ caller, body, idempotent }) =>
      present(
        await idempotent((idempotency) => createWorkflow(deps, caller, createInput(body), idempotency)),
      ),
    getWorkflow: async ({ caller, path }) =>
      present(await getWorkflow(deps, caller, { workflowId: path.workflow_id })),
    updateWorkflow: async ({ caller, path, body, idempotent }) =>
      present(
        await idempotent((idempotency) =>
          updateWorkflow(deps, caller, updateInput(path.workflow_id, body), idempotency),
        ),
      ),
    deleteWorkflow: ({ caller, path, idempotent }) =>
      idempotent((idempotency) =>
        deleteWorkflow(deps, caller, { workflowId: path.workflow_id }, idempotency),
      ),
    listWorkflowVersions: async ({ caller, path, query: page }) => {
      const input = { workflowId: path.workflow_id, page };
      return boundedResponse((await listWorkflowVersions(deps, caller, input)).map(presentVersion));
    },
    listTagsOfWorkflow: async ({ caller, path }) =>
      (await getWorkflowTags(deps, caller, { workflowId: path.workflow_id })).map(presentTag),
    assignTags: async ({ caller, path, body, idempotent }) => {
      const { workflow_id: workflowId } = path;
      const tagIds = await idempotent((idempotency) =>
        assignTags(deps, caller, { workflowId, tagIds: body.tag_ids }, idempotency),
      );
      const workflow = { id: workflowId, tagIds };
      const tags = await tagsOfWorkflows(deps, caller.organizationId, [workflow]);
      return (tags.get(workflowId) ?? []).map(presentTag);
    },
    unassignTag: ({ caller, path, idempotent }) => {
      const input = { workflowId: path.workflow_id, tagId: path.tag_id };
      return idempotent((idempotency) => unassignTag(deps, caller, input, idempotency));
    },
    bulkAssignTags: async ({ c, caller, body, idempotent }) => {
      const input = { workflowIds: body.workflow_ids, tagIds: body.tag_ids };
      const result = await idempotent(() => bulkAssignTags(deps, caller, input));
      return result.errors.length === 0 ? c.body(null, 204) : presentBulkAssignment(result);
    },
  });
  return app;
}
