import type { OrganizationId } from "../access/organization-id.ts";
import type { JsonObject } from "../json.ts";
import type { CoveredProvider } from "../provider/covered-providers.ts";

export interface ModelMetadata {
  readonly provider: CoveredProvider;
  readonly model: string;
}

/** An automation blueprint. Timestamps are ISO 8601. */
export interface Workflow {
  readonly id: string;
  readonly organizationId: OrganizationId;
  readonly userId: string;
  readonly name: string;
  readonly mainPrompt: string;
  /** JSON Schemas, kept as they are. */
  readonly inputSchema: JsonObject | null;
  readonly outputSchema: JsonObject | null;
  readonly includesFileExports: boolean;
  readonly isWebhooksEnabled: boolean;
  readonly modelMetadata: ModelMetadata | null;
  /** May name tags that have been deleted, until their deletion is finished. */
  readonly tagIds: readonly string[];
  readonly createdAt: string;
  /** Of the last change of its own fields; tags come and go without one. */
  readonly updatedAt: string;
  /** Since when the prompt is what it is. */
  readonly promptSetAt: string;
  /** Hidden from then on; the projector finishes the deletion. */
  readonly deletedAt: string | null;
  /** Goes up by one with each write, for writes that depend on what was read. */
  readonly revision: number;
}

/** An earlier prompt. */
export interface WorkflowVersion {
  /** UUID of version 7. */
  readonly id: string;
  readonly workflowId: string;
  readonly mainPrompt: string;
  /** When it became the workflow's prompt. */
  readonly createdAt: string;
  readonly replacedAt: string;
}
