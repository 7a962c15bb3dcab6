import { type Caller, requireScope } from "../access/caller.ts";
import type { Workflow } from "./workflow.ts";
import { workflowNotFound } from "./workflow-deps.ts";
import type { WorkflowStore } from "./workflow-store.ts";

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
