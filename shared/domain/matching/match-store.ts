import type { OrganizationId } from "../access/organization-id.ts";
import type { JsonObject } from "../json.ts";
import type { Machine } from "../machine/machine.ts";
import type { Pool } from "../pool/pool.ts";
import type { ProviderCredential } from "../provider/provider-credential.ts";
import type { Run, SecretOwner, Session } from "../run/run.ts";
import type { Workflow } from "../workflow/workflow.ts";
import type { IdleMachine, QueueEntry, WaitingRunEntry } from "./queue-entry.ts";
import type { Target } from "./target.ts";

/** An entry as it was read. */
export interface QueuedEntry extends QueueEntry {
  /** Of a session's place: changes whenever a run joins the session. Null for a run's. */
  readonly writeId: string | null;
}

export type QueuedRun = QueuedEntry & WaitingRunEntry;

/** The oldest entries of a queue, in order, with what the queue lies beside. */
export interface MachineQueue {
  /** Undefined when there is none; a deleted one is still told of. */
  readonly machine: Machine | undefined;
  readonly entries: readonly QueuedEntry[];
}

export interface SessionQueue {
  readonly session: Session | undefined;
  readonly entries: readonly QueuedEntry[];
}

/** A set of pools that runs wait for, or have waited for. */
export interface PoolSet {
  /** Sorted. */
  readonly poolIds: readonly string[];
  /** Changes whenever something is queued for the set. */
  readonly writeId: string;
}

export interface IdlePage {
  readonly machines: readonly IdleMachine[];
  /** Where the next page begins; undefined after the last one. */
  readonly next: string | undefined;
}

/** A run with all that decides whether and how it may begin; deleted things count as missing. */
export interface Candidate {
  readonly run: Run;
  readonly workflow: Workflow | undefined;
  /** Those that the run names and that are there, in its order. */
  readonly pools: readonly Pool[];
  /** The organization's own keys, as far as there are any. */
  readonly credentials: readonly ProviderCredential[];
  /** The earlier steps that its inputs refer to, by their id. */
  readonly earlier: ReadonlyMap<string, Run>;
}

/** What a machine is given. */
export interface Assignment {
  /** As they were read. */
  readonly machine: Machine;
  readonly run: Run;
  /** The run's place. */
  readonly entry: QueuedRun;
  /** The run's session, as it was read, with the place in which it waits while it is pending. */
  readonly session: { readonly session: Session; readonly place: QueueEntry | undefined } | undefined;
  readonly assignmentId: string;
  readonly inputValues: JsonObject;
  readonly inheritedSecrets: Readonly<Record<string, SecretOwner>>;
  /** ISO 8601. */
  readonly startedAt: string;
}

export type AssignOutcome =
  | { readonly kind: "assigned" }
  /** The machine cannot take it, or is not as it was read. */
  | { readonly kind: "machine_gone" }
  /** The run waits no longer. */
  | { readonly kind: "run_gone" }
  /** The session has ended or is not as it was read. */
  | { readonly kind: "session_gone" }
  /** A step before it has failed. */
  | { readonly kind: "chain_stopped" }
  /** The run still waits, but has been changed since it was read. */
  | { readonly kind: "changed" };

/** What the matcher asks of the queues and the idle machines. All reads are strongly consistent. */
export interface MatchStore {
  /** One query. */
  machineQueue(organizationId: OrganizationId, machineId: string, limit: number): Promise<MachineQueue>;
  /** One query. */
  sessionQueue(organizationId: OrganizationId, sessionId: string, limit: number): Promise<SessionQueue>;
  /** The oldest that wait for a target, or the oldest of those behind an entry: one query. */
  queue(
    organizationId: OrganizationId,
    target: Target,
    limit: number,
    after?: QueueEntry,
  ): Promise<readonly QueuedEntry[]>;
  /** Every set in use that a machine of these pools can serve: a query of the organization's sets. */
  poolSetsWithin(organizationId: OrganizationId, poolIds: readonly string[]): Promise<readonly PoolSet[]>;
  /** Idle machines that are in all of these pools, in the order of their ids: one query a page. */
  idlePage(organizationId: OrganizationId, poolIds: readonly string[], after?: string): Promise<IdlePage>;

  /** One batch read; one more when the run's references have changed since it was queued. */
  candidate(entry: QueuedRun): Promise<Candidate | undefined>;
  /** One transaction: the machine has the run, or nothing has changed. */
  assign(assignment: Assignment): Promise<AssignOutcome>;

  /** Unless a row of the same or a later revision is there. */
  markIdle(idle: IdleMachine): Promise<void>;
  /** Unless the row is of a later revision than this one, at which the machine was seen to be not idle. */
  unmarkIdle(organizationId: OrganizationId, machineId: string, revision: number): Promise<void>;
  /** The machine is kept for that session no longer, unless it has a run. */
  releaseReservation(organizationId: OrganizationId, machineId: string, sessionId: string): Promise<void>;
  /** Takes away a place of what waits no longer. */
  removeEntry(entry: QueueEntry): Promise<void>;
  /** Takes away the place of a session in which nothing waits, unless a run has joined since the entry was read. */
  removeEmptyPlace(entry: QueuedEntry): Promise<void>;
  /** Forgets a set of pools whose queue was empty, unless something was queued since the set was read. */
  removeEmptySet(organizationId: OrganizationId, set: PoolSet): Promise<void>;
  /** Steps of the chain may begin again; none of them waits. */
  removeStoppedChain(organizationId: OrganizationId, sessionId: string, chainId: string): Promise<void>;
}
