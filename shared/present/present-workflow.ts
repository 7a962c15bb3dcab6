import type { Workflow as WireWorkflow, WorkflowItem } from "../contract/workflow.ts";
import type { Workflow } from "../domain/workflow/workflow.ts";
import type { DescribedTag } from "../domain/workflow-tag/workflow-tag.ts";
import { exportsName, placeholdersIn } from "../vocabulary/placeholders.ts";
import { presentModels } from "./present-models.ts";
import { presentTag } from "./present-workflow-tag.ts";

/** Leaves out `tags`. */
export function presentWorkflow(workflow: Workflow): Omit<WorkflowItem, "tags"> {
  return {
    id: workflow.id,
    name: workflow.name,
    main_prompt: workflow.mainPrompt,
    input_schema: workflow.inputSchema && { ...workflow.inputSchema },
    output_schema: workflow.outputSchema && { ...workflow.outputSchema },
    includes_file_exports: workflow.includesFileExports,
    is_webhooks_enabled: workflow.isWebhooksEnabled,
    ...presentModels(workflow),
    fallback_model_configuration_ids: [...workflow.fallbackModelConfigurationIds],
    executor: workflow.executor,
    replay: workflow.replay,
    leave: workflow.leave,
    on_hold_timeout: workflow.onHoldTimeout,
    may_ask: workflow.mayAsk,
    allow_shell: workflow.allowShell,
    keep_screenshots: workflow.keepScreenshots,
    max_steps: workflow.maxSteps,
    max_duration_seconds: workflow.maxDurationSeconds,
    max_tokens: workflow.maxTokens,
    metadata: { ...workflow.metadata },
    user_id: workflow.userId,
    organization_id: workflow.organizationId,
    includes_input_variables: placeholdersIn(workflow.mainPrompt).some(
      ({ whole }) => !(workflow.includesFileExports && whole === `{${exportsName}}`),
    ),
    created_at: workflow.createdAt,
    updated_at: workflow.updatedAt,
  };
}

export type TagsByWorkflow = ReadonlyMap<string, readonly DescribedTag[]>;

export function presentTagged(workflow: Workflow, tags: TagsByWorkflow): WireWorkflow {
  return { ...presentWorkflow(workflow), tags: (tags.get(workflow.id) ?? []).map(presentTag) };
}
