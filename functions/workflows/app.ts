import type { Hono } from "hono";
import {
  CreateWorkflowBody,
  UpdateWorkflowBody,
  WorkflowPath,
  WorkflowsQuery,
} from "../../shared/contract/workflow.ts";
import type { Idempotency } from "../../shared/domain/idempotency/idempotency.ts";
import { createWorkflow } from "../../shared/domain/workflow/create-workflow.ts";
import { deleteWorkflow } from "../../shared/domain/workflow/delete-workflow.ts";
import { getWorkflow } from "../../shared/domain/workflow/get-workflow.ts";
import { listWorkflowVersions } from "../../shared/domain/workflow/list-workflow-versions.ts";
import { listWorkflows } from "../../shared/domain/workflow/list-workflows.ts";
import { updateWorkflow } from "../../shared/domain/workflow/update-workflow.ts";
import type { Workflow } from "../../shared/domain/workflow/workflow.ts";
import { tagsOfWorkflows } from "../../shared/domain/workflow-tag/tags-of-workflows.ts";
import { authenticate } from "../../shared/http/access/authenticate.ts";
import { createHttpApp } from "../../shared/http/create-http-app.ts";
import type { HttpEnv } from "../../shared/http/http-env.ts";
import { limitRate } from "../../shared/http/access/limit-rate.ts";
import { idempotent } from "../../shared/http/idempotency/idempotent.ts";
import { readRequest } from "../../shared/http/request/read-request.ts";
import { addAssignmentRoutes } from "./assignment-routes.ts";
import { presentTagged, presentVersion, presentWorkflows } from "./present-workflows.ts";
import { createInput, updateInput, workflowFilter } from "./read-input.ts";
import type { WorkflowsDeps } from "./workflows-deps.ts";

export function createWorkflowsApp(deps: WorkflowsDeps): Hono<HttpEnv> {
  const app = createHttpApp(deps);
  app.use(authenticate(deps), limitRate(deps));

  /** Tags are read anew, also for an answer on record. */
  const present = async (workflow: Workflow) =>
    presentTagged(workflow, await tagsOfWorkflows(deps, workflow.organizationId, [workflow]));

  app.get("/v1/workflows", async (c) => {
    const { query } = await readRequest(c, { query: WorkflowsQuery });
    const input = { filter: workflowFilter(query), page: query };
    const page = await listWorkflows(deps, c.var.caller, input);
    const tags = query.include_tags
      ? await tagsOfWorkflows(deps, c.var.caller.organizationId, page.items)
      : undefined;
    return c.json(presentWorkflows(page, query, tags));
  });

  app.post("/v1/workflows", async (c) => {
    const { body } = await readRequest(c, { body: CreateWorkflowBody });
    const work = (idempotency?: Idempotency) =>
      createWorkflow(deps, c.var.caller, createInput(body), idempotency);
    return c.json(await present(await idempotent(c, deps, work, "transactional")), 201);
  });

  // Before the routes of one workflow, since `bulk` would pass for its id.
  addAssignmentRoutes(app, deps);

  app.get("/v1/workflows/:workflow_id", async (c) => {
    const { path } = await readRequest(c, { path: WorkflowPath });
    const input = { workflowId: path.workflow_id };
    return c.json(await present(await getWorkflow(deps, c.var.caller, input)));
  });

  app.patch("/v1/workflows/:workflow_id", async (c) => {
    const { path, body } = await readRequest(c, { path: WorkflowPath, body: UpdateWorkflowBody });
    const input = updateInput(path.workflow_id, body);
    const work = (idempotency?: Idempotency) => updateWorkflow(deps, c.var.caller, input, idempotency);
    return c.json(await present(await idempotent(c, deps, work, "transactional")));
  });

  app.delete("/v1/workflows/:workflow_id", async (c) => {
    const { path } = await readRequest(c, { path: WorkflowPath });
    const input = { workflowId: path.workflow_id };
    const work = (idempotency?: Idempotency) => deleteWorkflow(deps, c.var.caller, { ...input, idempotency });
    await idempotent(c, deps, work, "transactional");
    return c.body(null, 204);
  });

  app.get("/v1/workflows/:workflow_id/versions", async (c) => {
    const { path } = await readRequest(c, { path: WorkflowPath });
    const input = { workflowId: path.workflow_id };
    return c.json((await listWorkflowVersions(deps, c.var.caller, input)).map(presentVersion));
  });

  return app;
}
