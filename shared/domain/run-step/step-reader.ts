import type { OrganizationId } from "../organization-id.ts";
import type { RunStep } from "./run-step.ts";

export interface StepReader {
  /** Oldest first, with the exact total; the oldest steps expire first. */
  listSteps(
    organizationId: OrganizationId,
    runId: string,
    page: { readonly skip: number; readonly limit: number },
  ): Promise<{ readonly items: readonly RunStep[]; readonly total: number }>;
  findStep(organizationId: OrganizationId, runId: string, index: number): Promise<RunStep | undefined>;
}
