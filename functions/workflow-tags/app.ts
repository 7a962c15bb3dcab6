import type { Hono } from "hono";
import { workflowTagOperations } from "../../shared/contract/operations/workflow-tag-operations.ts";
import { createTag, createTagGroup } from "../../shared/domain/workflow-tag/create-tag.ts";
import { deleteTag, deleteTagGroup } from "../../shared/domain/workflow-tag/delete-tag.ts";
import { describeTag, getTag, getTagGroup } from "../../shared/domain/workflow-tag/get-tag.ts";
import { listTagGroups, listTags } from "../../shared/domain/workflow-tag/list-tags.ts";
import { reorderTagGroups, reorderTags } from "../../shared/domain/workflow-tag/reorder.ts";
import type { TagDeps, TaggingDeps } from "../../shared/domain/workflow-tag/tag-deps.ts";
import { setTagArchived, updateTag, updateTagGroup } from "../../shared/domain/workflow-tag/update-tag.ts";
import type { WorkflowTag } from "../../shared/domain/workflow-tag/workflow-tag.ts";
import { authenticate } from "../../shared/http/access/authenticate.ts";
import { limitRate } from "../../shared/http/access/limit-rate.ts";
import { createHttpApp } from "../../shared/http/create-http-app.ts";
import type { HttpDeps } from "../../shared/http/http-deps.ts";
import type { HttpEnv } from "../../shared/http/http-env.ts";
import { serveOperations } from "../../shared/http/serve-operations.ts";
import { presentTag, presentTagGroup } from "../../shared/present/present-workflow-tag.ts";
import { createGroupInput, createTagInput, updateGroupInput, updateTagInput } from "./read-input.ts";

export interface WorkflowTagsDeps extends HttpDeps, Pick<TagDeps, "tags">, Pick<TaggingDeps, "workflows"> {}

export function createWorkflowTagsApp(deps: WorkflowTagsDeps): Hono<HttpEnv> {
  const app = createHttpApp(deps);
  app.use(authenticate(deps), limitRate(deps));

  const present = async (tag: WorkflowTag) => presentTag(await describeTag(deps, tag));

  serveOperations(app, deps, workflowTagOperations, {
    listWorkflowTags: async ({ caller, query }) =>
      (await listTags(deps, caller, { includeArchived: query.include_archived })).map(presentTag),
    createWorkflowTag: async ({ caller, body, idempotent }) =>
      present(await idempotent((idempotency) => createTag(deps, caller, createTagInput(body), idempotency))),
    reorderWorkflowTags: ({ caller, body: { ids }, idempotent }) =>
      idempotent((idempotency) => reorderTags(deps, caller, { ids }, idempotency)),
    getWorkflowTag: async ({ caller, path }) =>
      presentTag(await getTag(deps, caller, { tagId: path.tag_id })),
    updateWorkflowTag: async ({ caller, path, body, idempotent }) =>
      present(
        await idempotent((idempotency) =>
          updateTag(deps, caller, updateTagInput(path.tag_id, body), idempotency),
        ),
      ),
    deleteWorkflowTag: ({ caller, path, idempotent }) =>
      idempotent((idempotency) => deleteTag(deps, caller, { tagId: path.tag_id }, idempotency)),
    archiveWorkflowTag: async ({ caller, path, idempotent }) => {
      const input = { tagId: path.tag_id, isArchived: true };
      return present(await idempotent((idempotency) => setTagArchived(deps, caller, input, idempotency)));
    },
    unarchiveWorkflowTag: async ({ caller, path, idempotent }) => {
      const input = { tagId: path.tag_id, isArchived: false };
      return present(await idempotent((idempotency) => setTagArchived(deps, caller, input, idempotency)));
    },
    listWorkflowTagGroups: async ({ caller }) => (await listTagGroups(deps, caller)).map(presentTagGroup),
    createWorkflowTagGroup: async ({ caller, body, idempotent }) =>
      presentTagGroup(
        await idempotent((idempotency) => createTagGroup(deps, caller, createGroupInput(body), idempotency)),
      ),
    reorderWorkflowTagGroups: ({ caller, body: { ids }, idempotent }) =>
      idempotent((idempotency) => reorderTagGroups(deps, caller, { ids }, idempotency)),
    getWorkflowTagGroup: async ({ caller, path }) =>
      presentTagGroup(await getTagGroup(deps, caller, { groupId: path.group_id })),
    updateWorkflowTagGroup: async ({ caller, path, body, idempotent }) =>
      presentTagGroup(
        await idempotent((idempotency) =>
          updateTagGroup(deps, caller, updateGroupInput(path.group_id, body), idempotency),
        ),
      ),
    deleteWorkflowTagGroup: ({ caller, path, idempotent }) =>
      idempotent((idempotency) => deleteTagGroup(deps, caller, { groupId: path.group_id }, idempotency)),
  });
  return app;
}
