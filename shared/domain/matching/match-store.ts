import type { Machine } from "../machine/machine.ts";
import type { OrganizationId } from "../organization-id.ts";
import type { Pool } from "../pool/pool.ts";
import type { ProviderCredential } from "../provider/provider-credential.ts";
import type { AssignedInputs } from "../run/inputs/prepare-inputs.ts";
import type { Run } from "../run/run.ts";
import type { IdleMachine, QueueEntry, WaitingRunEntry } from "../run/waiting/queue-entry.ts";
import type { Target } from "../run/waiting/target.ts";
import type { Session } from "../session/session.ts";
import type { Workflow } from "../workflow/workflow.ts";
import type { MatchChange } from "./match-trigger.ts";

/** An entry as read. */
export interface QueuedEntry extends QueueEntry {
  /** Changes whenever a run joins the session; null for a run's entry. */
  readonly writeId: string | null;
}

export type QueuedRun = QueuedEntry & WaitingRunEntry;

/** The oldest entries of a queue, in order, with what is stored beside it. */
export interface MachineQueue {
  /** Undefined when there is none; includes a deleted one. */
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

/** A run with everything that decides whether and how it may begin; deleted items count as missing. */
export interface Candidate {
  readonly run: Run;
  /** The machine that is to take it. */
  readonly machine: Machine | undefined;
  readonly workflow: Workflow | undefined;
  /** The existing ones of those that the run names, in its order. */
  readonly pools: readonly Pool[];
  /** The organization's own keys, where configured. */
  readonly credentials: readonly ProviderCredential[];
  /** The earlier steps that its inputs refer to, by id. */
  readonly earlier: ReadonlyMap<string, Run>;
}

/** A run to be assigned to a machine. */
export interface Assignment extends AssignedInputs {
  /** As read. */
  readonly machine: Machine;
  readonly run: Run;
  /** The run's place. */
  readonly entry: QueuedRun;
  /** The run's session, as read, with its place while it is pending. */
  readonly session: { readonly session: Session; readonly place: QueueEntry | undefined } | undefined;
  readonly assignmentId: string;
  /** ISO 8601. */
  readonly startedAt: string;
}

export type AssignOutcome =
  | { readonly kind: "assigned" }
  /** The machine cannot take the run, or changed since it was read. */
  | { readonly kind: "machine_gone" }
  /** The run no longer waits. */
  | { readonly kind: "run_gone"; readonly isTaken: boolean }
  /** The session has ended or changed since it was read. */
  | { readonly kind: "session_gone" }
  /** An earlier step has failed. */
  | { readonly kind: "chain_stopped" }
  /** The service carries out as many of the organization's runs as it may. */
  | { readonly kind: "organization_full" }
  /** The run still waits, but has been changed since it was read. */
  | { readonly kind: "changed" };

/** The matcher's view of queues and idle machines. All reads are strongly consistent. */
export interface MatchStore {
  /** One query. */
  machineQueue(organizationId: OrganizationId, machineId: string, limit: number): Promise<MachineQueue>;
  /** One query. */
  sessionQueue(organizationId: OrganizationId, sessionId: string, limit: number): Promise<SessionQueue>;
  /** The oldest entries of a target, or the oldest behind a given entry: one query. */
  queue(
    organizationId: OrganizationId,
    target: Target,
    limit: number,
    after?: QueueEntry,
  ): Promise<readonly QueuedEntry[]>;
  /** Every set in use: one query. */
  poolSets(organizationId: OrganizationId): Promise<readonly PoolSet[]>;
  /** The one with the fewest machines: one batch read, none where only one is given. */
  smallestPool(organizationId: OrganizationId, poolIds: readonly string[]): Promise<string | undefined>;
  /** Idle machines in the pool, or of the organization, in order of id: one query per page. */
  idlePage(
    organizationId: OrganizationId,
    poolId: string | undefined,
    limit: number,
    after?: string,
  ): Promise<IdlePage>;

  /** One batch read; a second one when the run's references have changed since it was queued. */
  candidate(entry: QueuedRun, machineId: string): Promise<Candidate | undefined>;
  /** One transaction: assigns the run, or changes nothing. */
  assign(assignment: Assignment): Promise<AssignOutcome>;
  /**
   * Asks for an event at the organization's next end of an execution, unless one more may begin: one write.
   *
   * @param refused ids of machines, or `anyIdle`.
   * @returns false: one more may begin.
   */
  noteRefused(organizationId: OrganizationId, refused: readonly string[]): Promise<boolean>;

  /**
   * Writes its rows, of the organization and of each of its pools, in one transaction.
   *
   * @returns false: it is not idle, or in other pools.
   */
  markIdle(machine: Machine): Promise<boolean>;
  /**
   * Removes its rows in one transaction.
   *
   * @returns false: it is idle.
   */
  unmarkIdle(machine: Pick<Machine, "organizationId" | "id" | "poolIds">): Promise<boolean>;
  /** Removes the machine's row of a pool, unless it is idle there. */
  unmarkLeftPool(organizationId: OrganizationId, machineId: string, poolId: string): Promise<void>;
  /** Ends the machine's reservation for that session, unless it has a run. */
  releaseReservation(organizationId: OrganizationId, machineId: string, sessionId: string): Promise<void>;
  /** Hands the changes to another round, by an event of their own. */
  leave(organizationId: OrganizationId, changes: readonly MatchChange[]): Promise<void>;
  /** Removes the place of a run or session that no longer waits. */
  removeEntry(entry: QueueEntry): Promise<void>;
  /** Removes the place of a session in which nothing waits, unless a run has joined since the entry was read. */
  removeEmptyPlace(entry: QueuedEntry): Promise<void>;
  /** Removes a pool set whose queue was empty, unless something was queued since the set was read. */
  removeEmptySet(organizationId: OrganizationId, set: PoolSet): Promise<void>;
  /** Removes the chain's stop mark; none of its steps waits any more. */
  removeStoppedChain(organizationId: OrganizationId, sessionId: string, chainId: string): Promise<void>;
}
