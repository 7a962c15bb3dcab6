import type { Caller } from "../access/caller.ts";
import { hideEntity } from "../entity/hide-entity.ts";
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
  { workflowId: id }: { readonly workflowId: string },
  idempotency?: Idempotency,
): Promise<void> {
  if (!(await hideEntity({ store: deps.workflows, clock: deps.clock }, caller, { id }, idempotency)))
    throw workflowNotFound(id);
}
