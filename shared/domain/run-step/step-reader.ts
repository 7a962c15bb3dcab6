import type { OrganizationId } from "../organization-id.ts";
import type { RunStep } from "./run-step.ts";

export interface StepReader {
  /** Lists oldest first, with the exact total. The oldest steps expire first. */
  listSteps(
    organizationId: OrganizationId,
    runId: string,
    page: { readonly skip: number; readonly limit: number },
  ): Promise<{ readonly items: readonly RunStep[]; readonly total: number }>;
  findStep(organizationId: OrganizationId, runId: string, index: number): Promise<RunStep | undefined>;
}
