import type { RunErrorCode } from "../../vocabulary/run-error-codes.ts";
import type { RunStatus } from "../../vocabulary/runs.ts";
import type { Executor } from "../../vocabulary/workflows.ts";
import type { Hold } from "../hold/hold.ts";
import type { JsonObject } from "../json.ts";
import type { Metadata } from "../metadata/metadata.ts";
import type { ModelTokens } from "../model/model-tokens.ts";
import type { OrganizationId } from "../organization-id.ts";
import type { Spilled } from "../spill.ts";
import type { RunOverrides } from "./run-overrides.ts";

/** The secret is read when the worker asks, so that a new value takes effect at once. */
export type SecretOwner =
  | { readonly kind: "machine"; readonly id: string }
  | { readonly kind: "pool"; readonly id: string };

/** One execution of a workflow. Timestamps are ISO 8601. */
export interface Run {
  readonly id: string;
  readonly organizationId: OrganizationId;
  readonly userId: string;
  readonly workflowId: string;
  readonly machineId: string | null;
  /** The request named the machine, or the session had it at that time. */
  readonly namedMachineId: string | null;
  readonly poolIds: readonly string[];
  /** The start was not reached on this machine, so the run moves to another one. */
  readonly triedMachineId: string | null;
  readonly status: RunStatus;
  /** A held run is running, and stands still until it is resumed or the hold expires. */
  readonly held: Hold | null;
  readonly inputValues: JsonObject;
  /** Names of the sensitive inputs, whose values are stored encrypted and removed when the run has ended. */
  readonly sensitiveAliases: readonly string[];
  /** Aliases of the machine's and the pools' parameters, each with its owner, as of the assignment. */
  readonly inheritedSecrets: Readonly<Record<string, SecretOwner>>;
  /** Names of inherited plain inputs, as of the assignment. */
  readonly inheritedNames: readonly string[];
  /** The runs of one request share this row of values; see `RunStore.releaseSecret`. */
  readonly secretId: string | null;
  /** A heavy field, which lists leave null unless requested. */
  readonly outputData: Spilled | null;
  readonly runMessageHistory: Spilled | null;
  readonly error: readonly string[];
  readonly errorCode: RunErrorCode | null;
  /** The workflow's executor when the run was created. */
  readonly executor: Executor;
  /** The workflow's setting when the run was created, used once the workflow is gone. */
  readonly isWebhooksEnabled: boolean;
  /** A verification replays this trajectory and nothing else; null for every other run. */
  readonly trajectoryId: string | null;
  /** A verifying run stops before this element; null for a whole one. */
  readonly dryRunUntil: number | null;
  /** The schedule that started the run; null for every other run. */
  readonly scheduleId: string | null;
  readonly overrides: RunOverrides;
  readonly usageMetadata: JsonObject | null;
  /** The tokens of the last attempt, at most `modelsOfRunMax` entries, which responses omit. */
  readonly modelTokens: readonly ModelTokens[];
  readonly isPriority: boolean;
  readonly metadata: Metadata;
  /** The worker's proof that it holds the run, while running. */
  readonly assignmentId: string | null;
  /** The shard of all organizations' executions in which the assignment has its place; null where they have no limit. */
  readonly serviceShard: number | null;
  /** Attempts count from 1, and grow with each retry and each change of machine. */
  readonly attempt: number;
  readonly sessionId: string | null;
  readonly sessionAlias: string | null;
  readonly releaseSessionAfter: boolean;
  readonly chainId: string | null;
  readonly chainStep: number | null;
  /** Inputs may refer to these earlier steps: `session_alias` to run id. */
  readonly chainRunIds: Readonly<Record<string, string>>;
  readonly chainKeepsSession: boolean;
  readonly continueOnFailure: boolean;
  readonly inputAttachmentIds: readonly string[];
  readonly outputAttachmentIds: readonly string[];
  readonly createdAt: string;
  /** The time of the run's creation, its last retry, or its change of machine. */
  readonly queuedAt: string;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  /** The projector finishes the deletion. */
  readonly deletedAt: string | null;
  readonly revision: number;
}
