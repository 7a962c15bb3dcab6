import type { OrganizationId } from "../organization-id.ts";
import type { RunStep } from "./run-step.ts";

export interface StepsPage {
  readonly skip: number;
  readonly limit: number;
  /** The page begins behind the step with this index. */
  readonly after?: number | undefined;
  /** The page begins behind this index, which no step needs to have. */
  readonly afterIndex?: number | undefined;
}

export interface LastStepReader {
  findLastStep(organizationId: OrganizationId, runId: string): Promise<RunStep | undefined>;
}

export interface StepReader {
  /** Lists oldest first, with the exact total. The oldest steps expire first. @throws {InvalidInput} for an `after` above the last index */
  listSteps(
    organizationId: OrganizationId,
    runId: string,
    page: StepsPage,
  ): Promise<{ readonly items: readonly RunStep[]; readonly total: number }>;
  findStep(organizationId: OrganizationId, runId: string, index: number): Promise<RunStep | undefined>;
}
