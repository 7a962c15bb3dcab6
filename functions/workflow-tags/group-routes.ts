import type { Hono } from "hono";
import {
  CreateTagGroupBody,
  ReorderBody,
  TagGroupPath,
  UpdateTagGroupBody,
} from "../../shared/contract/workflow-tag.ts";
import type { Idempotency } from "../../shared/domain/idempotency/idempotency.ts";
import { createTagGroup } from "../../shared/domain/workflow-tag/create-tag.ts";
import { deleteTagGroup } from "../../shared/domain/workflow-tag/delete-tag.ts";
import { getTagGroup } from "../../shared/domain/workflow-tag/get-tag.ts";
import { listTagGroups } from "../../shared/domain/workflow-tag/list-tags.ts";
import { reorderTagGroups } from "../../shared/domain/workflow-tag/reorder.ts";
import { updateTagGroup } from "../../shared/domain/workflow-tag/update-tag.ts";
import type { HttpEnv } from "../../shared/http/http-env.ts";
import { idempotent } from "../../shared/http/idempotency/idempotent.ts";
import { presentTagGroup } from "../../shared/present/present-workflow-tag.ts";
import { readRequest } from "../../shared/http/request/read-request.ts";
import type { WorkflowTagsDeps } from "./workflow-tags-deps.ts";
import { createGroupInput, updateGroupInput } from "./read-input.ts";
import { inOrderOf } from "./tag-routes.ts";

export function addTagGroupRoutes(app: Hono<HttpEnv>, deps: WorkflowTagsDeps): void {
  app.get("/v1/workflow-tag-groups", async (c) => {
    await readRequest(c, {});
    return c.json((await listTagGroups(deps, c.var.caller)).map(presentTagGroup));
  });

  app.post("/v1/workflow-tag-groups", async (c) => {
    const { body } = await readRequest(c, { body: CreateTagGroupBody });
    const work = (idempotency?: Idempotency) =>
      createTagGroup(deps, c.var.caller, createGroupInput(body), idempotency);
    return c.json(presentTagGroup(await idempotent(c, deps, work, "transactional")), 201);
  });

  app.put("/v1/workflow-tag-groups/reorder", async (c) => {
    const { body } = await readRequest(c, { body: ReorderBody });
    const work = (idempotency?: Idempotency) =>
      reorderTagGroups(deps, c.var.caller, { ids: body.ids, idempotency });
    const ids = await idempotent(c, deps, work, "transactional");
    const groups = await deps.tags.findGroups(c.var.caller.organizationId, ids);
    return c.json(inOrderOf(ids, groups, ({ id }) => id).map(presentTagGroup));
  });

  app.get("/v1/workflow-tag-groups/:group_id", async (c) => {
    const { path } = await readRequest(c, { path: TagGroupPath });
    return c.json(presentTagGroup(await getTagGroup(deps, c.var.caller, { groupId: path.group_id })));
  });

  app.patch("/v1/workflow-tag-groups/:group_id", async (c) => {
    const { path, body } = await readRequest(c, { path: TagGroupPath, body: UpdateTagGroupBody });
    const input = updateGroupInput(path.group_id, body);
    const work = (idempotency?: Idempotency) => updateTagGroup(deps, c.var.caller, input, idempotency);
    return c.json(presentTagGroup(await idempotent(c, deps, work, "transactional")));
  });

  app.delete("/v1/workflow-tag-groups/:group_id", async (c) => {
    const { path } = await readRequest(c, { path: TagGroupPath });
    const work = (idempotency?: Idempotency) =>
      deleteTagGroup(deps, c.var.caller, { groupId: path.group_id, idempotency });
    await idempotent(c, deps, work, "transactional");
    return c.body(null, 204);
  });
}
