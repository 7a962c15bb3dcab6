import type { JsonObject } from "../../domain/json.ts";
import type { OrganizationId } from "../../domain/organization-id.ts";
import type { Workflow, WorkflowVersion } from "../../domain/workflow/workflow.ts";
import type { CoveredProvider } from "../../vocabulary/providers.ts";
import { executors, leaves, onHoldTimeouts, replays } from "../../vocabulary/workflows.ts";
import { createdAttributes, listPartitions } from "../table/index-keys.ts";
import type { Item, Key } from "../table/item.ts";
import { workflowKey, workflowVersionKey } from "../table/keys.ts";
import {
  as,
  editedFields,
  type Field,
  flag,
  json,
  metadataField,
  number,
  oneOf,
  orElse,
  orNull,
  row,
  spread,
  text,
  texts,
} from "../table/row.ts";

export const workflowRow = row<Workflow>("workflow", {
  ...editedFields,
  userId: text,
  name: text,
  mainPrompt: text,
  inputSchema: orNull(json<JsonObject>()),
  outputSchema: orNull(json<JsonObject>()),
  includesFileExports: flag,
  isWebhooksEnabled: flag,
  modelMetadata: orNull(
    spread("", {
      // A workflow stays readable when its provider is no longer covered.
      provider: as("model_provider", text as Field<CoveredProvider>),
      model: orElse(text, ""),
    }),
  ),
  modelConfigurationId: orNull(text),
  fallbackModelConfigurationIds: orElse(texts, []),
  executor: orElse(oneOf(executors), "worker"),
  replay: orElse(oneOf(replays), "auto"),
  leave: orElse(oneOf(leaves), "as_is"),
  onHoldTimeout: orElse(oneOf(onHoldTimeouts), "fail"),
  mayAsk: orElse(flag, false),
  allowShell: orElse(flag, false),
  keepScreenshots: orElse(flag, true),
  maxSteps: orElse(number, 100),
  maxDurationSeconds: orElse(number, 3_600),
  maxTokens: orNull(number),
  metadata: metadataField,
  tagIds: texts,
  updatedAt: text,
  promptSetAt: text,
});

export const parseWorkflow = workflowRow.parse;

export const workflowSettings = workflowRow.pick("id", "executor", "isWebhooksEnabled");

export const workflowTagIds = workflowRow.pick("id", "tagIds");

export function workflowItem(workflow: Workflow): Item & Key {
  const { organizationId, id } = workflow;
  return {
    ...workflowKey(organizationId, id),
    ...workflowRow.write(workflow),
    ...createdAttributes(workflow, { list: listPartitions.workflows(organizationId) }),
  };
}

const versionRow = row<WorkflowVersion>("workflow_version", {
  id: text,
  workflowId: text,
  mainPrompt: text,
  createdAt: text,
  replacedAt: text,
});

export const parseVersion = versionRow.parse;

export function versionItem(organizationId: OrganizationId, version: WorkflowVersion): Item & Key {
  const key = workflowVersionKey(organizationId, version.workflowId, version.id);
  return { ...key, ...versionRow.write(version) };
}
