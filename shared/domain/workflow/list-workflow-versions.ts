import { type Caller, requireScope } from "../access/caller.ts";
import type { PageRequest } from "../page.ts";
import { getWorkflow } from "./get-workflow.ts";
import type { WorkflowVersion } from "./workflow.ts";
import type { WorkflowDeps } from "./workflow-deps.ts";

export async function listWorkflowVersions(
  deps: Pick<WorkflowDeps, "workflows">,
  caller: Caller,
  input: { readonly workflowId: string; readonly page: PageRequest },
): Promise<readonly WorkflowVersion[]> {
  requireScope(caller, "read");
  const [, versions] = await Promise.all([
    getWorkflow(deps, caller, input),
    deps.workflows.listVersions(caller.organizationId, input.workflowId, input.page),
  ]);
  return versions;
}
