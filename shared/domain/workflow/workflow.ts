import type { CoveredProvider } from "../../vocabulary/providers.ts";
import type { Executor, Leave, Replay } from "../../vocabulary/workflows.ts";
import type { JsonObject } from "../json.ts";
import type { OrganizationId } from "../organization-id.ts";

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
  /** JSON Schemas, stored unchanged. */
  readonly inputSchema: JsonObject | null;
  readonly outputSchema: JsonObject | null;
  readonly includesFileExports: boolean;
  readonly isWebhooksEnabled: boolean;
  readonly modelMetadata: ModelMetadata | null;
  /** Instead of `modelMetadata`: the service's own, or one of the organization's, which stays while this names it. */
  readonly modelConfigurationId: string | null;
  /** In this order after it. */
  readonly fallbackModelConfigurationIds: readonly string[];
  readonly executor: Executor;
  readonly replay: Replay;
  readonly leave: Leave;
  /** Whether its runs may use the shell, and files outside the folder for transfers. Not a sandbox. */
  readonly allowShell: boolean;
  readonly keepScreenshots: boolean;
  readonly maxSteps: number;
  readonly maxDurationSeconds: number;
  /** Tokens of all calls to models of a run, input and output; null: no bound. */
  readonly maxTokens: number | null;
  /** May name deleted tags until their deletion is finished. */
  readonly tagIds: readonly string[];
  readonly createdAt: string;
  /** When its own fields changed last; assigning tags leaves it unchanged. */
  readonly updatedAt: string;
  /** When the current prompt was set. */
  readonly promptSetAt: string;
  /** When it was hidden; the projector finishes the deletion. */
  readonly deletedAt: string | null;
  /** Incremented with each write, for conditional writes. */
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
