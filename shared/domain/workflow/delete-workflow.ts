import { type Caller, requireScope } from "../access/caller.ts";
import { isoMoment } from "../clock.ts";
import type { Claim } from "../idempotency/claim.ts";
import { type WorkflowDeps, workflowNotFound } from "./workflow-deps.ts";

/**
 * Hides the workflow at once, in one write. Its tags' counts, its earlier prompts and the runs that wait for it are
 * seen to by the stream's reader (`finish-workflow-deletion.ts`).
 *
 * @throws {DomainError} `insufficient_scope` or `not_found`.
 * @throws {ClaimTaken}
 */
export async function deleteWorkflow(
  deps: Pick<WorkflowDeps, "workflows" | "clock">,
  caller: Caller,
  input: { readonly workflowId: string; readonly claim?: Claim | undefined },
): Promise<void> {
  requireScope(caller, "write");
  const { workflowId, claim } = input;
  const deletedAt = isoMoment(deps.clock.now());
  if (!(await deps.workflows.markDeleted(caller.organizationId, workflowId, deletedAt, claim))) {
    throw workflowNotFound(workflowId);
  }
}
