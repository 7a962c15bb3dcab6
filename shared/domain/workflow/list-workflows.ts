import { type Caller, requireScope } from "../access/caller.ts";
import type { Page, PageRequest } from "../page.ts";
import type { Workflow } from "./workflow.ts";
import type { WorkflowDeps } from "./workflow-deps.ts";
import type { WorkflowFilter } from "./workflow-store.ts";

export async function listWorkflows(
  deps: Pick<WorkflowDeps, "workflows">,
  caller: Caller,
  input: { readonly filter: WorkflowFilter; readonly page: PageRequest },
): Promise<Page<Workflow>> {
  requireScope(caller, "read");
  return deps.workflows.list(caller.organizationId, input.filter, input.page);
}
