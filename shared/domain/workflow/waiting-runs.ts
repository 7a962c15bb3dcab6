import type { OrganizationId } from "../organization-id.ts";

export interface WaitingRuns {
  /** Cancels the runs of that workflow that have not begun. Idempotent. False when it ran out of time. */
  cancelWaitingRuns(organizationId: OrganizationId, workflowId: string): Promise<boolean>;
}
