import { randomUUID } from "node:crypto";
import { v7 } from "uuid";
import {
  choiceDefaults,
  configurationDefaults,
  type OwnConfiguration,
} from "../../../shared/domain/model-configuration/model-configuration.ts";
import type { PromptImage } from "../../../shared/domain/prompt-image/prompt-image.ts";
import type { Workflow, WorkflowVersion } from "../../../shared/domain/workflow/workflow.ts";
import type { TagGroup, WorkflowTag } from "../../../shared/domain/workflow-tag/workflow-tag.ts";
import { anOrganization, newEntity, timestampOf } from "./entities.ts";

export function aWorkflow(fields: Partial<Workflow> = {}): Workflow {
  const entity = newEntity(fields);
  return {
    ...entity,
    userId: randomUUID(),
    name: "",
    mainPrompt: "Open the shop.",
    inputSchema: null,
    outputSchema: null,
    includesFileExports: false,
    isWebhooksEnabled: false,
    modelMetadata: null,
    modelConfigurationId: null,
    fallbackModelConfigurationIds: [],
    executor: "worker",
    replay: "auto",
    mayAsk: false,
    allowShell: false,
    keepScreenshots: true,
    leave: "as_is",
    onHoldTimeout: "fail",
    maxSteps: 100,
    maxDurationSeconds: 3_600,
    maxTokens: null,
    metadata: {},
    tagIds: [],
    promptSetAt: entity.createdAt,
    deletedAt: null,
    edition: 0,
    ...fields,
  };
}

export function aModelConfiguration(fields: Partial<OwnConfiguration> = {}): OwnConfiguration {
  return {
    ...newEntity(fields),
    name: `name ${randomUUID()}`,
    ...configurationDefaults,
    provider: "anthropic",
    model: "a-model",
    ...choiceDefaults,
    ...fields,
  };
}

export function aVersion(workflow: Workflow, fields: Partial<WorkflowVersion> = {}): WorkflowVersion {
  const id = fields.id ?? v7();
  return {
    id,
    workflowId: workflow.id,
    mainPrompt: workflow.mainPrompt,
    createdAt: workflow.promptSetAt,
    replacedAt: timestampOf(id),
    ...fields,
  };
}

function looks(fields: Partial<TagGroup>) {
  return {
    ...newEntity(fields),
    name: `name ${randomUUID()}`,
    description: "",
    emoji: "",
    color: "",
    order: 0,
    deletedAt: null,
    assignments: 0,
  };
}

export function aTag(fields: Partial<WorkflowTag> = {}): WorkflowTag {
  return { ...looks(fields), groupId: null, isArchived: false, workflowCount: 0, ...fields };
}

export function aTagGroup(fields: Partial<TagGroup> = {}): TagGroup {
  return { ...looks(fields), moves: 0, ...fields };
}

export function aPromptImage(fields: Partial<PromptImage> = {}): PromptImage {
  const id = v7();
  return {
    id,
    organizationId: anOrganization(),
    userId: randomUUID(),
    filename: "button.png",
    contentType: "image/png",
    sizeBytes: 8,
    key: `spill/organization/prompt_image/${id}/content-${id}`,
    createdAt: timestampOf(id),
    ...fields,
  };
}
