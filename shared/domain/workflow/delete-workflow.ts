import type { Caller } from "../access/caller.ts";
import type { Edit } from "../entity/edition.ts";
import { hideEntity } from "../entity/hide-entity.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import { type WorkflowDeps, workflowNotFound } from "./workflow-deps.ts";

/** Hides the workflow at once; the projector updates its tags' counts and cancels its waiting runs. */
export async function deleteWorkflow(
  deps: Pick<WorkflowDeps, "workflows" | "clock">,
  caller: Caller,
  { workflowId: id, ifEdition }: Edit & { readonly workflowId: string },
  idempotency?: Idempotency,
): Promise<void> {
  if (
    !(await hideEntity({ store: deps.workflows, clock: deps.clock }, caller, { id, ifEdition }, idempotency))
  )
    throw workflowNotFound(id);
}
