import * as z from "zod";
import {
  AssignTagsBody,
  BulkAssignment,
  BulkAssignTagsBody,
  CreateWorkflowBody,
  UpdateWorkflowBody,
  Workflow,
  WorkflowList,
  WorkflowQuery,
  WorkflowResponse,
  WorkflowsQuery,
  WorkflowVersion,
  WorkflowVersionsQuery,
} from "../workflow.ts";
import { WorkflowTag } from "../workflow-tag.ts";
import { defineOperations, deleted, editing, reading, writing } from "./operation.ts";

const tagIds = ["0190b5a0-0000-7000-8000-000000000001"] as const;

const workflowTags = z.array(WorkflowTag);
const workflowVersions = z.array(WorkflowVersion);

export const workflowOperations = defineOperations("Workflows", [
  {
    ...reading,
    id: "listWorkflows",
    path: "/v1/workflows",
    summary: "Lists workflows",
    description:
      "The list is sorted newest first. `search` is a substring of id, name or prompt, whatever the case; `tag_ids` filters by workflows that have all of these tags. A search, a range of `updated_at` and a filter by tags or `metadata` read at most 10,000 workflows. A page has at most 5 MB: with long prompts request fewer.",
    query: WorkflowsQuery,
    responses: { 200: { description: "A page, with the exact total.", schema: WorkflowList } },
    refusals: { 413: "`answer_too_large`: retry with a lower `limit`." },
  },
  {
    ...writing("POST"),
    id: "createWorkflow",
    isTagged: true,
    writes: "workflow",
    path: "/v1/workflows",
    summary: "Creates a workflow",
    description:
      "`main_prompt` has at most 100,000 characters and names input variables as `{variable}` and secrets as `{$secret}`. Prompt and schemas together take at most 300,000 bytes of JSON, each schema 65,536. Runs' inputs are checked by `input_schema`: JSON Schema 2020-12 unless its `$schema` names 2019-09, draft-07 or draft-06. The model that decides is named by `model_configuration_id`, or by `model_metadata` alone; while the slots of provider credentials that it and its fallbacks need are `missing` or `invalid`, runs of the workflow end as `error`.",
    body: CreateWorkflowBody,
    example: {
      name: "Print the invoice",
      main_prompt: "Open the shop as {user} with {$password} and print the invoice.",
      input_schema: { type: "object", properties: { user: { type: "string" } } },
      model_metadata: { provider: "anthropic", model: "claude" },
    },
    responses: { 201: { description: "The workflow.", schema: Workflow } },
    refusals: { 404: "`not_found`: there is no such model configuration." },
  },
  {
    ...reading,
    id: "getWorkflow",
    isTagged: true,
    path: "/v1/workflows/{workflow_id}",
    summary: "Reads one workflow",
    query: WorkflowQuery,
    responses: { 200: { description: "The workflow, with its tags.", schema: WorkflowResponse } },
  },
  {
    ...editing("PATCH"),
    id: "updateWorkflow",
    isTagged: true,
    writes: "workflow",
    path: "/v1/workflows/{workflow_id}",
    summary: "Updates a workflow",
    description:
      "Only the fields provided are changed. A prompt that changes is kept as an earlier version. Tags have operations of their own. `model_configuration_id` takes the place of a stored `model_metadata` only beside `model_metadata: null`, and the other way round.",
    body: UpdateWorkflowBody,
    example: { main_prompt: "Open the shop as {user} and print the last invoice." },
    responses: { 200: { description: "The workflow.", schema: Workflow } },
    refusals: { 404: "`not_found`: there is no such workflow or model configuration." },
  },
  {
    ...editing("DELETE"),
    id: "deleteWorkflow",
    writes: "workflow",
    path: "/v1/workflows/{workflow_id}",
    summary: "Deletes a workflow",
    description:
      "The workflow is gone at once for every reader; runs that wait for it are cancelled and its tags' counts go down in the background. Its other runs and its trajectories stay and name it.",
    responses: deleted,
  },
  {
    ...reading,
    id: "listWorkflowVersions",
    path: "/v1/workflows/{workflow_id}/versions",
    summary: "Lists a workflow's earlier prompts",
    description:
      "The prompts are sorted newest first, as a plain array; one shorter than `limit` is the last page. A page has at most 5 MB: with long prompts request fewer.",
    query: WorkflowVersionsQuery,
    responses: { 200: { description: "A page of the earlier prompts.", schema: workflowVersions } },
    refusals: { 413: "`answer_too_large`: retry with a lower `limit`." },
  },
  {
    ...reading,
    id: "listTagsOfWorkflow",
    path: "/v1/workflows/{workflow_id}/tags",
    summary: "Lists a workflow's tags",
    description: "The tags have the order of the list of tags; archived ones are among them.",
    responses: { 200: { description: "The tags.", schema: workflowTags } },
  },
  {
    ...editing("POST"),
    id: "assignTags",
    writes: "workflow",
    path: "/v1/workflows/{workflow_id}/tags",
    summary: "Assigns tags to a workflow",
    description:
      "All or none, beside those that it has, 50 at most. A tag of a group takes the place of the workflow's other tag of that group. Tags that it has already change nothing.",
    body: AssignTagsBody,
    example: { tag_ids: tagIds },
    responses: { 200: { description: "All tags that it has now.", schema: workflowTags } },
    refusals: {
      409: "`tag_archived`; `limit_reached`: it would have more than 50.",
    },
  },
  {
    ...editing("DELETE"),
    id: "unassignTag",
    writes: "workflow",
    path: "/v1/workflows/{workflow_id}/tags/{tag_id}",
    summary: "Removes a tag from a workflow",
    description: "The response is 404 also when the workflow does not have the tag.",
    responses: { 204: { description: "The workflow does not have the tag any more." } },
  },
  {
    ...writing("POST"),
    id: "bulkAssignTags",
    writes: "workflow",
    path: "/v1/workflows/bulk/tags",
    // Each workflow takes a transaction of its own.
    idempotency: "leased",
    summary: "Assigns tags to many workflows",
    description:
      "Each workflow gets all of them or none, and where some did not the response says which. Nothing is done when one of the tags is not there (404).",
    body: BulkAssignTagsBody,
    example: { workflow_ids: ["0190b5a0-0000-7000-8000-000000000002"], tag_ids: tagIds },
    responses: {
      200: { description: "Some were refused: what became of each workflow.", schema: BulkAssignment },
      204: { description: "All have them." },
    },
    refusals: { 404: "`not_found`: one of the tags is not there." },
  },
]);
