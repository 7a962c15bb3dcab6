import * as z from "zod";
import {
  CreateTagGroupBody,
  CreateWorkflowTagBody,
  ReorderBody,
  TagGroup,
  UpdateTagGroupBody,
  UpdateWorkflowTagBody,
  WorkflowTag,
  WorkflowTagsQuery,
} from "../workflow-tag.ts";
import { defineOperations, deleted, reading, writing } from "./operation.ts";

const ofGroups = "Workflow tag groups";
const example = { ids: ["0190b5a0-0000-7000-8000-000000000001"] } as const;
const reordering =
  "The ones that are named share the places that they have now, in the new order; the others stay where they are. Either all are moved or none.";
const nameTaken = "`name_taken`: another one has this name, whose id is in `details`";
const oneTag = { 200: { description: "The tag.", schema: WorkflowTag } } as const;

const tagGroups = z.array(TagGroup);
const workflowTags = z.array(WorkflowTag);

export const workflowTagOperations = defineOperations("Workflow tags", [
  {
    ...reading,
    id: "listWorkflowTags",
    path: "/v1/workflow-tags",
    summary: "Lists workflow tags",
    description:
      "The list has all tags, without archived ones unless requested: ungrouped first, then by their group's order, then by their own; ties by age.",
    query: WorkflowTagsQuery,
    responses: { 200: { description: "The tags.", schema: workflowTags } },
  },
  {
    ...writing("POST"),
    id: "createWorkflowTag",
    writes: "workflow_tag",
    path: "/v1/workflow-tags",
    summary: "Creates a workflow tag",
    description: "Its name is unique in the organization. Lengths are in Unicode code points.",
    body: CreateWorkflowTagBody,
    example: { name: "urgent", emoji: "🔥", color: "#d73a4a", order: 1 },
    responses: { 201: { description: "The tag.", schema: WorkflowTag } },
    refusals: {
      404: "`not_found`: there is no such group.",
      409: `${nameTaken}; \`limit_reached\`: the organization has 1,000.`,
    },
  },
  {
    ...writing("PUT"),
    id: "reorderWorkflowTags",
    writes: "workflow_tag",
    path: "/v1/workflow-tags/reorder",
    summary: "Reorders workflow tags",
    description: reordering,
    body: ReorderBody,
    example,
    responses: { 204: { description: "The list has the new order." } },
    refusals: { 404: "`not_found`: one of them is not there; nothing was done." },
  },
  {
    ...reading,
    id: "getWorkflowTag",
    path: "/v1/workflow-tags/{tag_id}",
    summary: "Reads one workflow tag",
    responses: oneTag,
  },
  {
    ...writing("PATCH"),
    id: "updateWorkflowTag",
    writes: "workflow_tag",
    path: "/v1/workflow-tags/{tag_id}",
    summary: "Updates a workflow tag",
    description:
      "Only the fields provided are changed. `group_id` brings the tag into a group, unless a workflow has it beside another tag of that group; null takes it out.",
    body: UpdateWorkflowTagBody,
    example: { color: "#0e8a16", group_id: null },
    responses: oneTag,
    refusals: {
      404: "`not_found`: there is no such tag or group.",
      409: `${nameTaken}; \`conflict\`: workflows in \`details\` have another tag of the group; \`limit_reached\`: more than 10,000 workflows have the tag.`,
    },
  },
  {
    ...writing("DELETE"),
    id: "deleteWorkflowTag",
    writes: "workflow_tag",
    path: "/v1/workflow-tags/{tag_id}",
    summary: "Deletes a workflow tag",
    description: "The tag is gone at once for every reader, on workflows too.",
    responses: deleted,
  },
  {
    ...writing("POST"),
    id: "archiveWorkflowTag",
    writes: "workflow_tag",
    path: "/v1/workflow-tags/{tag_id}/archive",
    summary: "Archives a workflow tag",
    description:
      "The tag cannot be given to workflows any more, stays on those that have it, and is hidden from the list by default. The same again changes nothing.",
    responses: oneTag,
  },
  {
    ...writing("POST"),
    id: "unarchiveWorkflowTag",
    writes: "workflow_tag",
    path: "/v1/workflow-tags/{tag_id}/unarchive",
    summary: "Unarchives a workflow tag",
    responses: oneTag,
  },
  {
    ...reading,
    tag: ofGroups,
    id: "listWorkflowTagGroups",
    path: "/v1/workflow-tag-groups",
    summary: "Lists groups of workflow tags",
    description: "The list has all groups, sorted by their order, and then by age.",
    responses: { 200: { description: "The groups.", schema: tagGroups } },
  },
  {
    ...writing("POST"),
    tag: ofGroups,
    id: "createWorkflowTagGroup",
    writes: "workflow_tag_group",
    path: "/v1/workflow-tag-groups",
    summary: "Creates a group of workflow tags",
    description: "Its name is unique among the organization's groups.",
    body: CreateTagGroupBody,
    example: { name: "priority", description: "How soon", order: 1 },
    responses: { 201: { description: "The group.", schema: TagGroup } },
    refusals: { 409: `${nameTaken}; \`limit_reached\`: the organization has 200.` },
  },
  {
    ...writing("PUT"),
    tag: ofGroups,
    id: "reorderWorkflowTagGroups",
    writes: "workflow_tag_group",
    path: "/v1/workflow-tag-groups/reorder",
    summary: "Reorders groups of workflow tags",
    description: reordering,
    body: ReorderBody,
    example,
    responses: { 204: { description: "The list has the new order." } },
    refusals: { 404: "`not_found`: one of them is not there; nothing was done." },
  },
  {
    ...reading,
    tag: ofGroups,
    id: "getWorkflowTagGroup",
    path: "/v1/workflow-tag-groups/{group_id}",
    summary: "Reads one group of workflow tags",
    responses: { 200: { description: "The group.", schema: TagGroup } },
  },
  {
    ...writing("PATCH"),
    tag: ofGroups,
    id: "updateWorkflowTagGroup",
    writes: "workflow_tag_group",
    path: "/v1/workflow-tag-groups/{group_id}",
    summary: "Updates a group of workflow tags",
    description: "Only the fields provided are changed.",
    body: UpdateTagGroupBody,
    example: { order: 2 },
    responses: { 200: { description: "The group.", schema: TagGroup } },
    refusals: { 409: `${nameTaken}.` },
  },
  {
    ...writing("DELETE"),
    tag: ofGroups,
    id: "deleteWorkflowTagGroup",
    writes: "workflow_tag_group",
    path: "/v1/workflow-tag-groups/{group_id}",
    summary: "Deletes a group of workflow tags",
    description: "Its tags stay, without a group.",
    responses: deleted,
  },
]);
