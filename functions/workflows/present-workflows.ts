import type {
  BulkAssignment,
  WorkflowVersion as WireVersion,
  WorkflowList,
} from "../../shared/contract/workflow.ts";
import type { Page, PageRequest } from "../../shared/domain/page.ts";
import type { Workflow, WorkflowVersion } from "../../shared/domain/workflow/workflow.ts";
import type { BulkAssignTagsResult } from "../../shared/domain/workflow-tag/bulk-assign-tags.ts";
import {
  presentTagged,
  presentWorkflow,
  type TagsByWorkflow,
} from "../../shared/present/present-workflow.ts";

export function presentWorkflows(
  page: Page<Workflow>,
  { skip, limit }: PageRequest,
  tags: TagsByWorkflow | undefined,
): WorkflowList {
  const present = (workflow: Workflow) =>
    tags === undefined ? presentWorkflow(workflow) : presentTagged(workflow, tags);
  return { items: page.items.map(present), total: page.total, skip, limit };
}

export function presentVersion(version: WorkflowVersion): WireVersion {
  return {
    id: version.id,
    workflow_id: version.workflowId,
    main_prompt: version.mainPrompt,
    created_at: version.createdAt,
    replaced_at: version.replacedAt,
  };
}

export function presentBulkAssignment({ updated, errors }: BulkAssignTagsResult): BulkAssignment {
  return {
    updated_workflows: updated.map(({ workflowId, tagIds }) => ({
      workflow_id: workflowId,
      tag_ids: [...tagIds],
    })),
    failed_count: errors.length,
    errors: errors.map(({ workflowId, code, message }) => ({
      workflow_id: workflowId,
      error_code: code,
      message,
    })),
  };
}
