import type { OrganizationId } from "../access/organization-id.ts";
import type { JsonObject } from "../json.ts";
import type { Spilled } from "../spill.ts";
import type { RunStatus } from "./run-status.ts";

/** Whose sensitive parameter a run uses. The value is read when the worker asks, so a new one is used at once. */
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
  /** The machine that it must have: named by the request, or its session's at that time. */
  readonly namedMachineId: string | null;
  /** The pools that its machine must be in, all of them. */
  readonly poolIds: readonly string[];
  readonly status: RunStatus;
  readonly inputValues: JsonObject;
  /** Names of the sensitive inputs; their values lie in the secret store alone. */
  readonly sensitiveAliases: readonly string[];
  /** Frozen at the assignment: aliases that the machine's parameters or a pool's give, each with whose. */
  readonly inheritedSecrets: Readonly<Record<string, SecretOwner>>;
  /** May be shared with the other runs of one request: see `RunStore.release`. */
  readonly secretName: string | null;
  /** Heavy: left out of lists unless asked for, null then. */
  readonly outputData: Spilled | null;
  /** Heavy, like `outputData`. */
  readonly runMessageHistory: Spilled | null;
  readonly error: readonly string[];
  readonly usageMetadata: JsonObject | null;
  /** The machine's proof that the run is its own, while running. */
  readonly assignmentId: string | null;
  readonly sessionId: string | null;
  readonly sessionAlias: string | null;
  readonly releaseSessionAfter: boolean;
  /** Of a step of a chain; null for every other run. */
  readonly chainId: string | null;
  /** Counted from 0. */
  readonly chainStep: number | null;
  /** The earlier steps that this one's inputs may refer to: `session_alias` to run id. */
  readonly chainRunIds: Readonly<Record<string, string>>;
  /** The session outlives the chain. */
  readonly chainKeepsSession: boolean;
  /** The next step comes even when this one fails. */
  readonly continueOnFailure: boolean;
  readonly inputAttachmentIds: readonly string[];
  readonly outputAttachmentIds: readonly string[];
  readonly createdAt: string;
  /** Since when it waits, or waited: its creation or its last retry. */
  readonly queuedAt: string;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  /** Hidden from then on; the projector finishes the deletion. */
  readonly deletedAt: string | null;
  /** Goes up by one with each write, for writes that depend on what was read. */
  readonly revision: number;
}

/** A machine kept for runs that go one after another. Timestamps are ISO 8601. */
export interface Session {
  readonly id: string;
  readonly organizationId: OrganizationId;
  readonly status: "pending" | "active" | "ended";
  /** The machine that it must have, or has; null until one is reserved. */
  readonly machineId: string | null;
  /** While pending: the pools that its machine must be in, all of them. */
  readonly poolIds: readonly string[];
  /** Since when it waits for a machine. */
  readonly createdAt: string;
  /** When a run of it was last queued, started or ended; an idle session ends. */
  readonly usedAt: string;
}
