import type { Hono } from "hono";
import {
  AssignTagsBody,
  BulkAssignTagsBody,
  WorkflowPath,
  WorkflowTagPath,
} from "../../shared/contract/workflow.ts";
import type { Idempotency } from "../../shared/domain/idempotency/idempotency.ts";
import { assignTags } from "../../shared/domain/workflow-tag/assign-tags.ts";
import { bulkAssignTags } from "../../shared/domain/workflow-tag/bulk-assign-tags.ts";
import { getWorkflowTags, tagsOfWorkflows } from "../../shared/domain/workflow-tag/tags-of-workflows.ts";
import { unassignTag } from "../../shared/domain/workflow-tag/unassign-tag.ts";
import type { HttpEnv } from "../../shared/http/http-env.ts";
import { idempotent } from "../../shared/http/idempotency/idempotent.ts";
import { presentTag } from "../../shared/present/present-workflow-tag.ts";
import { readRequest } from "../../shared/http/request/read-request.ts";
import type { WorkflowsDeps } from "./workflows-deps.ts";
import { presentBulkAssignment } from "./present-workflows.ts";

/** Which workflow has which tags. */
export function addAssignmentRoutes(app: Hono<HttpEnv>, deps: WorkflowsDeps): void {
  app.post("/v1/workflows/bulk/tags", async (c) => {
    const { body } = await readRequest(c, { body: BulkAssignTagsBody });
    const input = { workflowIds: body.workflow_ids, tagIds: body.tag_ids };
    // A transaction for each workflow, so the record is taken before and finished after them.
    const work = () => bulkAssignTags(deps, c.var.caller, input);
    return c.json(presentBulkAssignment(await idempotent(c, deps, work, "leased")));
  });

  app.get("/v1/workflows/:workflow_id/tags", async (c) => {
    const { path } = await readRequest(c, { path: WorkflowPath });
    const input = { workflowId: path.workflow_id };
    return c.json((await getWorkflowTags(deps, c.var.caller, input)).map(presentTag));
  });

  app.post("/v1/workflows/:workflow_id/tags", async (c) => {
    const { path, body } = await readRequest(c, { path: WorkflowPath, body: AssignTagsBody });
    const input = { workflowId: path.workflow_id, tagIds: body.tag_ids };
    const work = (idempotency?: Idempotency) => assignTags(deps, c.var.caller, input, idempotency);
    const workflow = { id: path.workflow_id, tagIds: await idempotent(c, deps, work, "transactional") };
    const tags = await tagsOfWorkflows(deps, c.var.caller.organizationId, [workflow]);
    return c.json((tags.get(workflow.id) ?? []).map(presentTag));
  });

  app.delete("/v1/workflows/:workflow_id/tags/:tag_id", async (c) => {
    const { path } = await readRequest(c, { path: WorkflowTagPath });
    const input = { workflowId: path.workflow_id, tagId: path.tag_id };
    const work = (idempotency?: Idempotency) => unassignTag(deps, c.var.caller, { ...input, idempotency });
    await idempotent(c, deps, work, "transactional");
    return c.body(null, 204);
  });
}
