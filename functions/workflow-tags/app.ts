import type { Hono } from "hono";
import { workflowTagOperations } from "../../shared/contract/operations/workflow-tag-operations.ts";
import { createTag, createTagGroup } from "../../shared/domain/workflow-tag/create-tag.ts";
import { deleteTag, deleteTagGroup } from "../../shared/domain/workflow-tag/delete-tag.ts";
import {
  describeTag,
  getTag,
  getTagGroup,
  listTagGroups,
  listTags,
} from "../../shared/domain/workflow-tag/read-tags.ts";
import { reorderTagGroups, reorderTags } from "../../shared/domain/workflow-tag/reorder.ts";
import type { TagDeps, TaggingDeps } from "../../shared/domain/workflow-tag/tag-deps.ts";
import { updateTag, updateTagGroup } from "../../shared/domain/workflow-tag/update-tag.ts";
import type { WorkflowTag } from "../../shared/domain/workflow-tag/workflow-tag.ts";
import { createCallersApp } from "../../shared/http/create-callers-app.ts";
import type { HttpDeps } from "../../shared/http/http-deps.ts";
import type { HttpEnv } from "../../shared/http/http-env.ts";
import { presentTag, presentTagGroup } from "../../shared/present/present-workflow-tag.ts";
import { createGroupInput, createTagInput, updateGroupInput, updateTagInput } from "./read-input.ts";

export interface WorkflowTagsDeps extends HttpDeps, Pick<TagDeps, "tags">, Pick<TaggingDeps, "workflows"> {}

export function createWorkflowTagsApp(deps: WorkflowTagsDeps): Hono<HttpEnv> {
  const present = async (tag: WorkflowTag) => presentTag(await describeTag(deps, tag));

  return createCallersApp(deps, workflowTagOperations, {
    listWorkflowTags: async ({ caller, query }) =>
      (await listTags(deps, caller, { includeArchived: query.include_archived })).map(presentTag),
    createWorkflowTag: async ({ body, write }) => present(await write(createTag, createTagInput(body))),
    reorderWorkflowTags: ({ body: { ids }, write }) => write(reorderTags, { ids }),
    getWorkflowTag: async ({ caller, path }) =>
      presentTag(await getTag(deps, caller, { tagId: path.tag_id })),
    updateWorkflowTag: async ({ path, body, write }) =>
      present(await write(updateTag, updateTagInput(path.tag_id, body))),
    deleteWorkflowTag: ({ path, write }) => write(deleteTag, { id: path.tag_id }),
    archiveWorkflowTag: async ({ path, write }) =>
      present(await write(updateTag, { tagId: path.tag_id, isArchived: true })),
    unarchiveWorkflowTag: async ({ path, write }) =>
      present(await write(updateTag, { tagId: path.tag_id, isArchived: false })),
    listWorkflowTagGroups: async ({ caller }) => (await listTagGroups(deps, caller)).map(presentTagGroup),
    createWorkflowTagGroup: async ({ body, write }) =>
      presentTagGroup(await write(createTagGroup, createGroupInput(body))),
    reorderWorkflowTagGroups: ({ body: { ids }, write }) => write(reorderTagGroups, { ids }),
    getWorkflowTagGroup: async ({ caller, path }) =>
      presentTagGroup(await getTagGroup(deps, caller, { groupId: path.group_id })),
    updateWorkflowTagGroup: async ({ path, body, write }) =>
      presentTagGroup(await write(updateTagGroup, updateGroupInput(path.group_id, body))),
    deleteWorkflowTagGroup: ({ path, write }) => write(deleteTagGroup, { id: path.group_id }),
  });
}
