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

export interface QueuedEntry extends QueueEntry {
  /** The id changes whenever a run joins the session, and is null for a run's entry. */
  readonly writeId: string | null;
}

export type QueuedRun = QueuedEntry & WaitingRunEntry;

export interface MachineQueue {
  /** A deleted machine is included. */
  readonly machine: Machine | undefined;
  readonly entries: readonly QueuedEntry[];
}

export interface SessionQueue {
  readonly session: Session | undefined;
  readonly entries: readonly QueuedEntry[];
}

/** A set of pools that runs wait for, or have waited for. */
export interface PoolSet {
  /** The ids are sorted. */
  readonly poolIds: readonly string[];
  /** The id changes whenever something is queued for the set. */
  readonly writeId: string;
}

export interface IdlePage {
  readonly machines: readonly IdleMachine[];
  readonly next: string | undefined;
}

/** A run with everything that decides whether and how it may begin. Deleted items count as missing. */
export interface Candidate {
  readonly run: Run;
  readonly machine: Machine | undefined;
  readonly workflow: Workflow | undefined;
  readonly pools: readonly Pool[];
  readonly credentials: readonly ProviderCredential[];
  readonly earlier: ReadonlyMap<string, Run>;
}

export interface Assignment extends AssignedInputs {
  readonly machine: Machine;
  readonly run: Run;
  readonly entry: QueuedRun;
  /** The run's session as read, with its place while it is pending. */
  readonly session: { readonly session: Session; readonly place: QueueEntry | undefined } | undefined;
  readonly assignmentId: string;
  readonly startedAt: string;
}

export type AssignOutcome =
  | { readonly kind: "assigned" }
  /** The machine cannot take the run, or changed since it was read. */
  | { readonly kind: "machine_gone" }
  | { readonly kind: "run_gone"; readonly isTaken: boolean }
  | { readonly kind: "session_gone" }
  | { readonly kind: "chain_stopped" }
  /** The service carries out as many of the organization's runs as it may. */
  | { readonly kind: "organization_full" }
  /** The service carries out as many runs as it may, or keeps its free places for the line. */
  | { readonly kind: "service_full" }
  /** The run still waits, but has been changed since it was read. */
  | { readonly kind: "changed" };

/** The matcher's view of queues and idle machines. All reads are strongly consistent. */
export interface MatchStore {
  machineQueue(organizationId: OrganizationId, machineId: string, limit: number): Promise<MachineQueue>;
  sessionQueue(organizationId: OrganizationId, sessionId: string, limit: number): Promise<SessionQueue>;
  /** Returns the oldest entries, behind `after` if given. */
  queue(
    organizationId: OrganizationId,
    target: Target,
    limit: number,
    after?: QueueEntry,
  ): Promise<readonly QueuedEntry[]>;
  poolSets(organizationId: OrganizationId): Promise<readonly PoolSet[]>;
  /** Returns the pool with the fewest machines, in one batch read, or in none for a single pool. */
  smallestPool(organizationId: OrganizationId, poolIds: readonly string[]): Promise<string | undefined>;
  /** Returns idle machines of the pool, or of the organization, in order of id. */
  idlePage(
    organizationId: OrganizationId,
    poolId: string | undefined,
    limit: number,
    after?: string,
  ): Promise<IdlePage>;

  /**
   * Makes one batch read, and a second one when the run's references have changed since it was queued. Reads no machine
   * if none is named.
   */
  candidate(entry: WaitingRunEntry, machineId?: string): Promise<Candidate | undefined>;
  /** @param isTurn may take a place that is kept for the line. */
  assign(assignment: Assignment, isTurn?: boolean): Promise<AssignOutcome>;
  /** Requests an event at the organization's next end of an execution. Returns false if one more may begin already. */
  noteRefused(organizationId: OrganizationId, refused: readonly string[]): Promise<boolean>;

  /** Writes rows for the organization and each pool, in one transaction. Returns false if it is not idle in them. */
  markIdle(machine: Machine): Promise<boolean>;
  /** Removes the machine's rows in one transaction. Returns false if it is idle. */
  unmarkIdle(machine: Pick<Machine, "organizationId" | "id" | "poolIds">): Promise<boolean>;
  /** Removes the machine's row of a pool, unless it is idle there. */
  unmarkLeftPool(organizationId: OrganizationId, machineId: string, poolId: string): Promise<void>;
  /** Ends the machine's reservation for that session, unless it has a run. */
  releaseReservation(organizationId: OrganizationId, machineId: string, sessionId: string): Promise<void>;
  /** Leaves the changes to another round, by an event of their own. */
  leave(organizationId: OrganizationId, changes: readonly MatchChange[]): Promise<void>;
  /** Removes the place of a run or session that no longer waits. */
  removeEntry(entry: QueueEntry): Promise<void>;
  /** Removes the place of a session in which nothing waits, unless a run has joined since the entry was read. */
  removeEmptyPlace(entry: QueuedEntry): Promise<void>;
  /** Removes a pool set whose queue was empty, unless something was queued since the set was read. */
  removeEmptySet(organizationId: OrganizationId, set: PoolSet): Promise<void>;
  /** Removes the chain's stop mark once none of its steps waits any more. */
  removeStoppedChain(organizationId: OrganizationId, sessionId: string, chainId: string): Promise<void>;
}
