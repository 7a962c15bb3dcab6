import { type Caller, requireScope } from "../access/caller.ts";
import { getEntity } from "../entity/read-entities.ts";
import type { PageRequest } from "../page.ts";
import type { WorkflowVersion } from "./workflow.ts";
import type { WorkflowDeps } from "./workflow-deps.ts";

export async function listWorkflowVersions(
  { workflows }: Pick<WorkflowDeps, "workflows">,
  caller: Caller,
  { workflowId, page }: { readonly workflowId: string; readonly page: PageRequest },
): Promise<readonly WorkflowVersion[]> {
  requireScope(caller, "read");
  const [, versions] = await Promise.all([
    getEntity(workflows, caller, "workflow", workflowId),
    workflows.listVersions(caller.organizationId, workflowId, page),
  ]);
  return versions;
}
