import type { OrganizationId } from "../../organization-id.ts";
import type { Target } from "./target.ts";

/**
 * One place in a queue. A run waits in the queue of its target; a pending session waits in the queue of its placement
 * and represents the oldest run of its own queue.
 */
export interface QueueEntry {
  readonly organizationId: OrganizationId;
  readonly target: Target;
  /** Before all that are not, whatever their age. */
  readonly isPriority: boolean;
  /** Age, in ms since the epoch; ties are ordered by id. */
  readonly queuedAtMs: number;
  readonly waiting: WaitingRun | { readonly kind: "session"; readonly sessionId: string };
}

/** A queued run with the ids that an assignment reads, so that one batch read is enough. */
interface WaitingRun {
  readonly kind: "run";
  readonly runId: string;
  readonly chainId: string | null;
  readonly workflowId: string;
  /** The pools that the run names, whatever its target is. */
  readonly poolIds: readonly string[];
  /** The earlier steps of its chain that its inputs referred to when it was queued. */
  readonly earlierRunIds: readonly string[];
  /** Whether it has a secret to remove when it ends; absent: no. */
  readonly hasSecret?: true;
  /** Who carries it out; absent: a worker. */
  readonly executor?: "service";
  /** Its start was not reached on that machine; absent: on none. */
  readonly triedMachineId?: string;
}

/** A run's place in a queue. */
export interface WaitingRunEntry extends QueueEntry {
  readonly waiting: WaitingRun;
}

/** Whether the entry is a run's place, not a session's. */
export function isRunEntry<Entry extends QueueEntry>(entry: Entry): entry is Entry & WaitingRunEntry {
  return entry.waiting.kind === "run";
}

/** Whether what waits there may go to that machine, as far as its own doings there say. */
export function mayTake(machineId: string, { waiting }: QueueEntry): boolean {
  return waiting.kind === "session" || waiting.triedMachineId !== machineId;
}

/** A machine that was free when its row was written. A hint: the assignment reads the machine itself. */
export interface IdleMachine {
  readonly organizationId: OrganizationId;
  readonly machineId: string;
  readonly poolIds: readonly string[];
}

/** Sorts the queues of several targets into one: priority first, then the oldest. */
export function inQueueOrder(left: QueueEntry, right: QueueEntry): number {
  return byPriority(left, right) || left.queuedAtMs - right.queuedAtMs || (idOf(left) < idOf(right) ? -1 : 1);
}

export function byPriority(left: QueueEntry, right: QueueEntry): number {
  return Number(right.isPriority) - Number(left.isPriority);
}

/** The run's or session's. */
export function idOf({ waiting }: QueueEntry): string {
  return waiting.kind === "run" ? waiting.runId : waiting.sessionId;
}
