import type { Caller } from "../access/caller.ts";
import { hideEntity } from "../entity/hide-entity.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import { type WorkflowDeps, workflowNotFound } from "./workflow-deps.ts";

/** Hides the workflow at once; the projector updates its tags' counts and cancels its waiting runs. */
export async function deleteWorkflow(
  deps: Pick<WorkflowDeps, "workflows" | "clock">,
  caller: Caller,
  { workflowId: id }: { readonly workflowId: string },
  idempotency?: Idempotency,
): Promise<void> {
  if (!(await hideEntity({ store: deps.workflows, clock: deps.clock }, caller, { id }, idempotency)))
    throw workflowNotFound(id);
}
