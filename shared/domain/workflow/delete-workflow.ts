import { type Caller, requireScope } from "../access/caller.ts";
import { isoTimestamp } from "../clock.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import { type WorkflowDeps, workflowNotFound } from "./workflow-deps.ts";

/**
 * Hides the workflow at once, in one write. The stream's reader (`finish-workflow-deletion.ts`) updates its tags'
 * counts, cancels its waiting runs and removes its earlier prompts.
 *
 * @throws {DomainError} `insufficient_scope` or `not_found`.
 * @throws {AlreadyOnRecord}
 */
export async function deleteWorkflow(
  deps: Pick<WorkflowDeps, "workflows" | "clock">,
  caller: Caller,
  input: { readonly workflowId: string; readonly idempotency?: Idempotency | undefined },
): Promise<void> {
  requireScope(caller, "write");
  const { workflowId, idempotency } = input;
  const deletedAt = isoTimestamp(deps.clock.now());
  if (!(await deps.workflows.markDeleted(caller.organizationId, workflowId, deletedAt, idempotency))) {
    throw workflowNotFound(workflowId);
  }
}
