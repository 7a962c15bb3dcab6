import type { Clock, Ids } from "../clock.ts";
import type { OrganizationId } from "../organization-id.ts";
import type { SchemaDeps } from "./require-fits.ts";
import type { WorkflowStore } from "./workflow-store.ts";

export interface WorkflowDeps extends SchemaDeps {
  readonly workflows: WorkflowStore;
  readonly clock: Clock;
  readonly ids: Ids;
}

export interface WaitingRuns {
  /** Cancels the runs of that workflow that have not begun. Idempotent. Returns false when it ran out of time. */
  cancelWaitingRuns(organizationId: OrganizationId, workflowId: string): Promise<boolean>;
}
