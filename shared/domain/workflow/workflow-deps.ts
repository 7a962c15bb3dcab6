import type { Clock, Ids } from "../clock.ts";
import { DomainError } from "../errors.ts";
import type { OrganizationId } from "../organization-id.ts";
import type { SchemaDeps } from "./require-fits.ts";
import type { WorkflowStore } from "./workflow-store.ts";

export interface WorkflowDeps extends SchemaDeps {
  readonly workflows: WorkflowStore;
  readonly clock: Clock;
  readonly ids: Ids;
}

export function workflowNotFound(workflowId: string): DomainError {
  return new DomainError("not_found", `there is no workflow ${workflowId}`);
}

export interface WaitingRuns {
  /** Cancels the runs of that workflow that have not begun. Idempotent. Returns false when it ran out of time. */
  cancelWaitingRuns(organizationId: OrganizationId, workflowId: string): Promise<boolean>;
}
