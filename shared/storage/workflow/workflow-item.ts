import * as z from "zod";
import type { JsonObject } from "../../domain/json.ts";
import type { CoveredProvider } from "../../domain/provider/covered-providers.ts";
import type { Workflow, WorkflowVersion } from "../../domain/workflow/workflow.ts";
import type { WorkflowChange } from "../../domain/workflow/workflow-store.ts";
import type { Change } from "../table/expression.ts";
import type { Item, Key } from "../table/item.ts";
import { createdSortKey, listPartitions, workflowKey, workflowVersionKey } from "../table/keys.ts";

/** Reading a row is parsing it; the index attributes beside these are left out. */
const WorkflowItem = z.object({
  kind: z.literal("workflow"),
  id: z.string(),
  organization_id: z.string(),
  user_id: z.string(),
  name: z.string(),
  main_prompt: z.string(),
  /** JSON text: DynamoDB's own maps nest 32 deep only, and its numbers are not JSON's. */
  input_schema: z.string().optional(),
  output_schema: z.string().optional(),
  includes_file_exports: z.boolean(),
  is_webhooks_enabled: z.boolean(),
  model_provider: z.string().optional(),
  model: z.string().optional(),
  tag_ids: z.array(z.string()),
  created_at: z.string(),
  updated_at: z.string(),
  prompt_set_at: z.string(),
  deleted_at: z.string().optional(),
  revision: z.number(),
});

export function parseWorkflow(item: Item): Workflow {
  const row = WorkflowItem.parse(item);
  return {
    id: row.id,
    organizationId: row.organization_id,
    userId: row.user_id,
    name: row.name,
    mainPrompt: row.main_prompt,
    inputSchema: parseSchema(row.input_schema),
    outputSchema: parseSchema(row.output_schema),
    includesFileExports: row.includes_file_exports,
    isWebhooksEnabled: row.is_webhooks_enabled,
    modelMetadata:
      row.model_provider === undefined
        ? null
        : // Written by `fields` below, never by anyone else.
          { provider: row.model_provider as CoveredProvider, model: row.model ?? "" },
    tagIds: row.tag_ids,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    promptSetAt: row.prompt_set_at,
    deletedAt: row.deleted_at ?? null,
    revision: row.revision,
  };
}

/** Which tags it has, of an item of which no more was read. */
export function parseTagIds(item: Item): Pick<Workflow, "id" | "tagIds"> {
  return z
    .object({ id: z.string(), tag_ids: z.array(z.string()) })
    .transform((row) => ({ id: row.id, tagIds: row.tag_ids }))
    .parse(item);
}

/** A new workflow with its row in the list. */
export function workflowItem(workflow: Workflow): Item & Key {
  const { organizationId } = workflow;
  return {
    ...workflowKey(organizationId, workflow.id),
    kind: "workflow",
    id: workflow.id,
    organization_id: organizationId,
    user_id: workflow.userId,
    ...withoutNulls(fields(workflow)),
    tag_ids: workflow.tagIds,
    created_at: workflow.createdAt,
    prompt_set_at: workflow.promptSetAt,
    revision: workflow.revision,
    list_pk: listPartitions.workflows(organizationId),
    list_sk: createdSortKey(Date.parse(workflow.createdAt), workflow.id),
  };
}

/** A change of some fields, without reading the workflow. */
export function workflowChange(change: WorkflowChange): Change {
  return { set: { ...fields(change), prompt_set_at: change.promptSetAt }, add: { revision: 1 } };
}

/** Undefined stays as it is, null is removed. */
function fields(change: WorkflowChange): Item {
  const { modelMetadata: model } = change;
  // Null is removed, so it must not become undefined.
  const { provider, model: modelName } = model ?? { provider: model, model };
  return {
    name: change.name,
    main_prompt: change.mainPrompt,
    input_schema: change.inputSchema && JSON.stringify(change.inputSchema),
    output_schema: change.outputSchema && JSON.stringify(change.outputSchema),
    includes_file_exports: change.includesFileExports,
    is_webhooks_enabled: change.isWebhooksEnabled,
    model_provider: provider,
    model: modelName,
    updated_at: change.updatedAt,
  };
}

function withoutNulls(item: Item): Item {
  return Object.fromEntries(Object.entries(item).filter(([, value]) => value !== null));
}

function parseSchema(text: string | undefined): JsonObject | null {
  return text === undefined ? null : (JSON.parse(text) as JsonObject);
}

const VersionItem = z.object({
  kind: z.literal("workflow_version"),
  id: z.string(),
  workflow_id: z.string(),
  main_prompt: z.string(),
  created_at: z.string(),
  replaced_at: z.string(),
});

export function versionItem(organizationId: string, version: WorkflowVersion): Item & Key {
  return {
    ...workflowVersionKey(organizationId, version.workflowId, version.id),
    kind: "workflow_version",
    id: version.id,
    workflow_id: version.workflowId,
    main_prompt: version.mainPrompt,
    created_at: version.createdAt,
    replaced_at: version.replacedAt,
  };
}

export function parseVersion(item: Item): WorkflowVersion {
  const row = VersionItem.parse(item);
  return {
    id: row.id,
    workflowId: row.workflow_id,
    mainPrompt: row.main_prompt,
    createdAt: row.created_at,
    replacedAt: row.replaced_at,
  };
}
