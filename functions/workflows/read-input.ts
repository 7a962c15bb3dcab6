import type {
  CreateWorkflowBody,
  UpdateWorkflowBody,
  WorkflowsQuery,
} from "../../shared/contract/workflow.ts";
import type { CreateWorkflowInput } from "../../shared/domain/workflow/create-workflow.ts";
import type { UpdateWorkflowInput } from "../../shared/domain/workflow/update-workflow.ts";
import type { WorkflowFilter } from "../../shared/domain/workflow/workflow-store.ts";
import { given } from "../../shared/http/request/given.ts";

export function createInput(body: CreateWorkflowBody): CreateWorkflowInput {
  return { mainPrompt: body.main_prompt, ...optionalInput(body) };
}

export function updateInput(workflowId: string, body: UpdateWorkflowBody): UpdateWorkflowInput {
  return { workflowId, ...given({ mainPrompt: body.main_prompt }), ...optionalInput(body) };
}

function optionalInput(body: UpdateWorkflowBody) {
  return given({
    name: body.name,
    inputSchema: body.input_schema,
    outputSchema: body.output_schema,
    includesFileExports: body.includes_file_exports,
    isWebhooksEnabled: body.is_webhooks_enabled,
    modelMetadata: body.model_metadata,
  });
}

export function workflowFilter(query: WorkflowsQuery): WorkflowFilter {
  return given({
    search: query.search,
    createdAtFrom: query.created_at_from,
    createdAtTo: query.created_at_to,
    updatedAtFrom: query.updated_at_from,
    updatedAtTo: query.updated_at_to,
    tagIds: query.tag_ids,
  });
}
