import { type Caller, requireScope } from "../access/caller.ts";
import type { Page, PageRequest } from "../page.ts";
import type { Workflow, WorkflowVersion } from "./workflow.ts";
import { type WorkflowDeps, workflowNotFound } from "./workflow-deps.ts";
import type { WorkflowFilter, WorkflowStore } from "./workflow-store.ts";

export async function getWorkflow(
  deps: { readonly workflows: Pick<WorkflowStore, "find"> },
  caller: Caller,
  input: { readonly workflowId: string },
): Promise<Workflow> {
  requireScope(caller, "read");
  const workflow = await deps.workflows.find(caller.organizationId, input.workflowId);
  if (workflow === undefined) throw workflowNotFound(input.workflowId);
  return workflow;
}

export async function listWorkflows(
  deps: Pick<WorkflowDeps, "workflows">,
  caller: Caller,
  input: { readonly filter: WorkflowFilter; readonly page: PageRequest },
): Promise<Page<Workflow>> {
  requireScope(caller, "read");
  return deps.workflows.list(caller.organizationId, input.filter, input.page);
}

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
