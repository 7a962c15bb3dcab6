import type { Hono } from "hono";
import {
  CreateWorkflowTagBody,
  ReorderBody,
  TagPath,
  UpdateWorkflowTagBody,
  WorkflowTagsQuery,
} from "../../shared/contract/workflow-tag.ts";
import type { Idempotency } from "../../shared/domain/idempotency/idempotency.ts";
import { createTag } from "../../shared/domain/workflow-tag/create-tag.ts";
import { deleteTag } from "../../shared/domain/workflow-tag/delete-tag.ts";
import { describeTags } from "../../shared/domain/workflow-tag/describe-tags.ts";
import { describeTag, getTag } from "../../shared/domain/workflow-tag/get-tag.ts";
import { listTags } from "../../shared/domain/workflow-tag/list-tags.ts";
import { reorderTags } from "../../shared/domain/workflow-tag/reorder.ts";
import { setTagArchived, updateTag } from "../../shared/domain/workflow-tag/update-tag.ts";
import type { WorkflowTag } from "../../shared/domain/workflow-tag/workflow-tag.ts";
import type { HttpEnv } from "../../shared/http/http-env.ts";
import { idempotent } from "../../shared/http/idempotency/idempotent.ts";
import { presentTag } from "../../shared/present/present-workflow-tag.ts";
import { readRequest } from "../../shared/http/request/read-request.ts";
import type { WorkflowTagsDeps } from "./workflow-tags-deps.ts";
import { createTagInput, updateTagInput } from "./read-input.ts";

export function addTagRoutes(app: Hono<HttpEnv>, deps: WorkflowTagsDeps): void {
  const present = async (tag: WorkflowTag) => presentTag(await describeTag(deps, tag));

  app.get("/v1/workflow-tags", async (c) => {
    const { query } = await readRequest(c, { query: WorkflowTagsQuery });
    const tags = await listTags(deps, c.var.caller, { includeArchived: query.include_archived });
    return c.json(tags.map(presentTag));
  });

  app.post("/v1/workflow-tags", async (c) => {
    const { body } = await readRequest(c, { body: CreateWorkflowTagBody });
    const work = (idempotency?: Idempotency) =>
      createTag(deps, c.var.caller, createTagInput(body), idempotency);
    return c.json(await present(await idempotent(c, deps, work, "transactional")), 201);
  });

  app.put("/v1/workflow-tags/reorder", async (c) => {
    const { body } = await readRequest(c, { body: ReorderBody });
    const work = (idempotency?: Idempotency) =>
      reorderTags(deps, c.var.caller, { ids: body.ids, idempotency });
    const ids = await idempotent(c, deps, work, "transactional");
    const tags = await deps.tags.findTags(c.var.caller.organizationId, ids);
    const described = await describeTags(deps, c.var.caller.organizationId, tags);
    return c.json(inOrderOf(ids, described, ({ tag }) => tag.id).map(presentTag));
  });

  app.get("/v1/workflow-tags/:tag_id", async (c) => {
    const { path } = await readRequest(c, { path: TagPath });
    return c.json(presentTag(await getTag(deps, c.var.caller, { tagId: path.tag_id })));
  });

  app.patch("/v1/workflow-tags/:tag_id", async (c) => {
    const { path, body } = await readRequest(c, { path: TagPath, body: UpdateWorkflowTagBody });
    const input = updateTagInput(path.tag_id, body);
    const work = (idempotency?: Idempotency) => updateTag(deps, c.var.caller, input, idempotency);
    return c.json(await present(await idempotent(c, deps, work, "transactional")));
  });

  app.delete("/v1/workflow-tags/:tag_id", async (c) => {
    const { path } = await readRequest(c, { path: TagPath });
    const work = (idempotency?: Idempotency) =>
      deleteTag(deps, c.var.caller, { tagId: path.tag_id, idempotency });
    await idempotent(c, deps, work, "transactional");
    return c.body(null, 204);
  });

  app.post("/v1/workflow-tags/:tag_id/archive", async (c) => {
    const { path } = await readRequest(c, { path: TagPath });
    const input = { tagId: path.tag_id, isArchived: true };
    const work = (idempotency?: Idempotency) => setTagArchived(deps, c.var.caller, input, idempotency);
    return c.json(await present(await idempotent(c, deps, work, "transactional")));
  });

  app.post("/v1/workflow-tags/:tag_id/unarchive", async (c) => {
    const { path } = await readRequest(c, { path: TagPath });
    const input = { tagId: path.tag_id, isArchived: false };
    const work = (idempotency?: Idempotency) => setTagArchived(deps, c.var.caller, input, idempotency);
    return c.json(await present(await idempotent(c, deps, work, "transactional")));
  });
}

/** Those that are still there. */
export function inOrderOf<T>(
  ids: readonly string[],
  found: readonly T[],
  idOf: (one: T) => string,
): readonly T[] {
  const byId = new Map(found.map((one) => [idOf(one), one]));
  return ids.map((id) => byId.get(id)).filter((one) => one !== undefined);
}
