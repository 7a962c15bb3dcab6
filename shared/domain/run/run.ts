import type { JsonObject } from "../json.ts";
import type { Spilled } from "../spill.ts";
import type { RunStatus } from "./run-status.ts";

/** One execution of a workflow. Moments are ISO 8601. */
export interface Run {
  readonly id: string;
  readonly organizationId: string;
  readonly userId: string;
  readonly workflowId: string;
  /** Null while unassigned. */
  readonly machineId: string | null;
  /** The pools that its machine must be in, all of them. */
  readonly poolIds: readonly string[];
  readonly status: RunStatus;
  readonly inputValues: JsonObject;
  /** Names of the sensitive inputs; their values lie in the secret store alone. */
  readonly sensitiveAliases: readonly string[];
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
  /** In a chain: the next step comes even when this one fails. */
  readonly continueOnFailure: boolean;
  readonly inputAttachmentIds: readonly string[];
  readonly outputAttachmentIds: readonly string[];
  readonly createdAt: string;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  /** Hidden from then on; the projector finishes the deletion. */
  readonly deletedAt: string | null;
  /** Goes up by one with each write, for writes that depend on what was read. */
  readonly revision: number;
}

/** Machines that are reserved for runs which go one after another. */
export interface Session {
  readonly id: string;
  readonly organizationId: string;
  readonly status: "pending" | "active" | "ended";
  /** The machine that its first run named; null until one is reserved. */
  readonly machineId: string | null;
  readonly createdAt: string;
}
