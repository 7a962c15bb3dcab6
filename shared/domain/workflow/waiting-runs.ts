import type { OrganizationId } from "../access/organization-id.ts";

/** What a deleted workflow asks of its runs. */
export interface WaitingRuns {
  /** Cancels the runs of that workflow that have not begun; again and again without harm. */
  cancelWaitingRuns(organizationId: OrganizationId, workflowId: string): Promise<void>;
}
