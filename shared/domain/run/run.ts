import type { RunErrorCode } from "../../vocabulary/run-error-codes.ts";
import type { RunStatus } from "../../vocabulary/runs.ts";
import type { Executor } from "../../vocabulary/workflows.ts";
import type { JsonObject } from "../json.ts";
import type { ModelTokens } from "../model/model-tokens.ts";
import type { OrganizationId } from "../organization-id.ts";
import type { Spilled } from "../spill.ts";
import type { RunOverrides } from "./run-overrides.ts";

/**
 * The owner of a sensitive parameter that a run uses. Read when the worker asks, so a new value takes effect at once.
 */
export type SecretOwner =
  | { readonly kind: "machine"; readonly id: string }
  | { readonly kind: "pool"; readonly id: string };

/** One execution of a workflow. Timestamps are ISO 8601. */
export interface Run {
  readonly id: string;
  readonly organizationId: OrganizationId;
  readonly userId: string;
  readonly workflowId: string;
  /** Null while unassigned. */
  readonly machineId: string | null;
  /** The required machine: named by the request, or its session's at that time. */
  readonly namedMachineId: string | null;
  /** The pools that its machine must be in, all of them. */
  readonly poolIds: readonly string[];
  /** On which its start was not reached, so that it goes to another one of its pools; null for every other run. */
  readonly triedMachineId: string | null;
  readonly status: RunStatus;
  readonly inputValues: JsonObject;
  /** Names of the sensitive inputs; the values are stored encrypted, and go when the run has ended. */
  readonly sensitiveAliases: readonly string[];
  /** Frozen at the assignment: aliases that come from the machine's or a pool's parameters, each with its owner. */
  readonly inheritedSecrets: Readonly<Record<string, SecretOwner>>;
  /** Likewise: names of the plain inputs that come from there. */
  readonly inheritedNames: readonly string[];
  /** The row with their values, which the runs of one request share: see `RunStore.releaseSecret`. */
  readonly secretId: string | null;
  /** Heavy: null in lists unless requested. */
  readonly outputData: Spilled | null;
  /** Heavy, like `outputData`. */
  readonly runMessageHistory: Spilled | null;
  readonly error: readonly string[];
  /** The error's code, for programs; null where there is none. */
  readonly errorCode: RunErrorCode | null;
  /** Its workflow's, when it was created. */
  readonly executor: Executor;
  /** Likewise; it counts when the workflow is gone. */
  readonly isWebhooksEnabled: boolean;
  /** The trajectory that the run verifies: it replays this one and nothing else. Null for every other run. */
  readonly trajectoryId: string | null;
  /** The element before which a verifying run stops; null for a whole one. */
  readonly dryRunUntil: number | null;
  readonly overrides: RunOverrides;
  readonly usageMetadata: JsonObject | null;
  /** Tokens of its last attempt, at most `modelsOfRunMax` entries; counted when it has ended, and not shown. */
  readonly modelTokens: readonly ModelTokens[];
  /** Waits before all that are not. */
  readonly isPriority: boolean;
  /** The worker's proof that it holds the run, while running. */
  readonly assignmentId: string | null;
  /** 1, and one more with each retry, and when it goes to another machine. */
  readonly attempt: number;
  readonly sessionId: string | null;
  readonly sessionAlias: string | null;
  readonly releaseSessionAfter: boolean;
  /** For a step of a chain; null for every other run. */
  readonly chainId: string | null;
  /** Counted from 0. */
  readonly chainStep: number | null;
  /** The earlier steps that this one's inputs may refer to: `session_alias` to run id. */
  readonly chainRunIds: Readonly<Record<string, string>>;
  /** The session outlives the chain. */
  readonly chainKeepsSession: boolean;
  /** The next step runs even if this one fails. */
  readonly continueOnFailure: boolean;
  readonly inputAttachmentIds: readonly string[];
  readonly outputAttachmentIds: readonly string[];
  readonly createdAt: string;
  /** When it was last queued: its creation, its last retry, or when it went to another machine. */
  readonly queuedAt: string;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  /** When it was hidden; the projector finishes the deletion. */
  readonly deletedAt: string | null;
  /** Incremented with each write, for conditional writes. */
  readonly revision: number;
}
