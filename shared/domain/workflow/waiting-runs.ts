import type { OrganizationId } from "../access/organization-id.ts";

/** Runs, as far as a deleted workflow needs them. */
export interface WaitingRuns {
  /** Cancels the runs of that workflow that have not begun. Idempotent. */
  cancelWaitingRuns(organizationId: OrganizationId, workflowId: string): Promise<void>;
}
