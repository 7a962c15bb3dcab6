import type {
  CreateWorkflowBody,
  UpdateWorkflowBody,
  WorkflowsQuery,
} from "../../shared/contract/workflow.ts";
import type { CreateWorkflowInput } from "../../shared/domain/workflow/create-workflow.ts";
import type { UpdateWorkflowInput } from "../../shared/domain/workflow/update-workflow.ts";
import type { WorkflowFilter } from "../../shared/domain/workflow/workflow-store.ts";
import { given, inCamelCase } from "../../shared/http/request/given.ts";

export function createInput({ main_prompt: mainPrompt, ...body }: CreateWorkflowBody): CreateWorkflowInput {
  return { ...given(inCamelCase(body)), mainPrompt };
}

export function updateInput(workflowId: string, body: UpdateWorkflowBody): UpdateWorkflowInput {
  return { ...given(inCamelCase(body)), workflowId };
}

export function workflowFilter(query: WorkflowsQuery): WorkflowFilter {
  return given({
    search: query.search,
    createdAtFrom: query.created_at_from,
    createdAtTo: query.created_at_to,
    updatedAtFrom: query.updated_at_from,
    updatedAtTo: query.updated_at_to,
    tagIds: query.tag_ids,
    metadata: query.metadata,
  });
}
