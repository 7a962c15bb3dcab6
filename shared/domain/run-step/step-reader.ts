import type { OrganizationId } from "../organization-id.ts";
import type { RunStep } from "./run-step.ts";

/** Reads the steps of a run. */
export interface StepReader {
  /** Oldest first, with the exact total. Those that have expired are not there any more, the oldest first. */
  listSteps(
    organizationId: OrganizationId,
    runId: string,
    page: { readonly skip: number; readonly limit: number },
  ): Promise<{ readonly items: readonly RunStep[]; readonly total: number }>;
  findStep(organizationId: OrganizationId, runId: string, index: number): Promise<RunStep | undefined>;
}
