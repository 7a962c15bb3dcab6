import type { CoveredProvider } from "../../vocabulary/providers.ts";
import type { Executor, Leave, Replay } from "../../vocabulary/workflows.ts";
import type { JsonObject } from "../json.ts";
import type { OrganizationId } from "../organization-id.ts";

export interface ModelMetadata {
  readonly provider: CoveredProvider;
  readonly model: string;
}

export interface Workflow {
  readonly id: string;
  readonly organizationId: OrganizationId;
  readonly userId: string;
  readonly name: string;
  readonly mainPrompt: string;
  readonly inputSchema: JsonObject | null;
  readonly outputSchema: JsonObject | null;
  readonly includesFileExports: boolean;
  readonly isWebhooksEnabled: boolean;
  readonly modelMetadata: ModelMetadata | null;
  /** Instead of `modelMetadata`: the service's own, or one of the organization's, which stays while this names it. */
  readonly modelConfigurationId: string | null;
  readonly fallbackModelConfigurationIds: readonly string[];
  readonly executor: Executor;
  readonly replay: Replay;
  readonly leave: Leave;
  /** Allows the shell, and files outside the folder for transfers. Not a sandbox. */
  readonly allowShell: boolean;
  readonly keepScreenshots: boolean;
  readonly maxSteps: number;
  readonly maxDurationSeconds: number;
  /** Tokens of all calls to models of a run, input and output; null: no bound. */
  readonly maxTokens: number | null;
  /** May name deleted tags until their deletion is finished. */
  readonly tagIds: readonly string[];
  readonly createdAt: string;
  /** Assigning tags leaves it unchanged. */
  readonly updatedAt: string;
  readonly promptSetAt: string;
  readonly deletedAt: string | null;
  readonly revision: number;
}

export type WorkflowSettings = Omit<
  Workflow,
  | "id"
  | "organizationId"
  | "userId"
  | "tagIds"
  | "createdAt"
  | "updatedAt"
  | "promptSetAt"
  | "deletedAt"
  | "revision"
>;

export interface WorkflowVersion {
  readonly id: string;
  readonly workflowId: string;
  readonly mainPrompt: string;
  readonly createdAt: string;
  readonly replacedAt: string;
}
