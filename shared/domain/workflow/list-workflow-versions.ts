import { type Caller, requireScope } from "../access/caller.ts";
import { getWorkflow } from "./get-workflow.ts";
import type { WorkflowVersion } from "./workflow.ts";
import type { WorkflowDeps } from "./workflow-deps.ts";

/**
 * The earlier prompts, newest first: at most 100, fewer when they are large.
 *
 * @throws {DomainError} `insufficient_scope` or `not_found`.
 */
export async function listWorkflowVersions(
  deps: Pick<WorkflowDeps, "workflows">,
  caller: Caller,
  input: { readonly workflowId: string },
): Promise<readonly WorkflowVersion[]> {
  requireScope(caller, "read");
  const [, versions] = await Promise.all([
    getWorkflow(deps, caller, input),
    deps.workflows.listVersions(caller.organizationId, input.workflowId),
  ]);
  return versions;
}
