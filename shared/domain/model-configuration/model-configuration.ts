import type { ModelChoice } from "../model/model-choice.ts";
import type { OrganizationId } from "../organization-id.ts";

export interface ModelConfiguration extends ModelChoice {
  readonly id: string;
  /** Null means one of the service's own configurations. */
  readonly organizationId: OrganizationId | null;
  /** The name is unique in the organization, and none of the service's own. */
  readonly name: string;
  readonly description: string;
  /** A note of the organization's, without an effect: every model is shown the screen. */
  readonly isComputerUseModel: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface OwnConfiguration extends ModelConfiguration {
  readonly organizationId: OrganizationId;
  readonly revision: number;
}

/** The bound of the list, which has no pages. */
export const modelConfigurationsMax = 100;

export const configurationDefaults = { description: "", isComputerUseModel: true } as const;

export const choiceDefaults = {
  temperature: null,
  maxOutputTokens: null,
  timeoutSeconds: 120,
  additionalParams: {},
} as const satisfies Partial<ModelChoice>;
