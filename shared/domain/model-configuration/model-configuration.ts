import type { ModelChoice } from "../model/model-choice.ts";
import type { OrganizationId } from "../organization-id.ts";

/** A model, and how it is asked, under a name. Timestamps are ISO 8601. */
export interface ModelConfiguration extends ModelChoice {
  readonly id: string;
  /** Null for the service's own. */
  readonly organizationId: OrganizationId | null;
  /** Unique in the organization, and none of the service's own. */
  readonly name: string;
  readonly description: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** An organization's. */
export interface OwnConfiguration extends ModelConfiguration {
  readonly organizationId: OrganizationId;
  /** Incremented with each change of the fields above. */
  readonly revision: number;
}

/** Bounds the list, which has no pages. */
export const modelConfigurationsMax = 100;

/** How a model is asked of which nothing else is said. */
export const choiceDefaults = {
  temperature: null,
  maxOutputTokens: null,
  timeoutSeconds: 120,
  additionalParams: {},
} as const satisfies Partial<ModelChoice>;
