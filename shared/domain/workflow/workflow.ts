import type { CoveredProvider } from "../../vocabulary/providers.ts";
import type { Executor, Leave, OnHoldTimeout, Replay } from "../../vocabulary/workflows.ts";
import type { Edited } from "../entity/edition.ts";
import type { JsonObject } from "../json.ts";
import type { Metadata } from "../metadata/metadata.ts";
import type { OrganizationId } from "../organization-id.ts";

export interface ModelMetadata {
  readonly provider: CoveredProvider;
  readonly model: string;
}

export interface Workflow extends Edited {
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
  /** This replaces `modelMetadata`: a configuration of the service or of the organization, which stays while in use. */
  readonly modelConfigurationId: string | null;
  readonly fallbackModelConfigurationIds: readonly string[];
  readonly executor: Executor;
  readonly replay: Replay;
  readonly leave: Leave;
  readonly onHoldTimeout: OnHoldTimeout;
  /** The model may hold a run by asking a person. */
  readonly mayAsk: boolean;
  /** Allows the shell, and files outside the folder for transfers. This is not a sandbox. */
  readonly allowShell: boolean;
  readonly keepScreenshots: boolean;
  readonly maxSteps: number;
  readonly maxDurationSeconds: number;
  /** The limit of input and output tokens of all calls to models of a run; null means no limit. */
  readonly maxTokens: number | null;
  readonly metadata: Metadata;
  /** Deleted tags may be named until their deletion is finished. */
  readonly tagIds: readonly string[];
  readonly createdAt: string;
  /** Assigning tags leaves the timestamp unchanged. */
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
  | "edition"
>;

export interface WorkflowVersion {
  readonly id: string;
  readonly workflowId: string;
  readonly mainPrompt: string;
  readonly createdAt: string;
  readonly replacedAt: string;
}
