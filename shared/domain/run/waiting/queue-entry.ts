import type { OrganizationId } from "../../organization-id.ts";
import type { Target } from "./target.ts";

/** A pending session waits in the queue of its placement and represents the oldest run of its own queue. */
export interface QueueEntry {
  readonly organizationId: OrganizationId;
  readonly target: Target;
  readonly isPriority: boolean;
  /** Milliseconds since the epoch; ties are ordered by id. */
  readonly queuedAtMs: number;
  readonly waiting: WaitingRun | { readonly kind: "session"; readonly sessionId: string };
}

/** The entry has the ids that an assignment reads, so that one batch read is enough. */
interface WaitingRun {
  readonly kind: "run";
  readonly runId: string;
  readonly chainId: string | null;
  readonly workflowId: string;
  readonly poolIds: readonly string[];
  /** Earlier steps that the inputs referred to when the run was queued. */
  readonly earlierRunIds: readonly string[];
  /** Absent means that the run's end removes no secret. */
  readonly hasSecret?: true;
  /** Absent means that a worker executes the run. */
  readonly executor?: "service";
  /** The start was not reached on that machine; absent means none. */
  readonly triedMachineId?: string;
}

export interface WaitingRunEntry extends QueueEntry {
  readonly waiting: WaitingRun;
}

export function isRunEntry<Entry extends QueueEntry>(entry: Entry): entry is Entry & WaitingRunEntry {
  return entry.waiting.kind === "run";
}

export function mayTake(machineId: string, { waiting }: QueueEntry): boolean {
  return waiting.kind === "session" || waiting.triedMachineId !== machineId;
}

/** The row is a hint: the assignment reads the machine itself. */
export interface IdleMachine {
  readonly organizationId: OrganizationId;
  readonly machineId: string;
  readonly poolIds: readonly string[];
}

/** Orders priority first, then oldest first. */
export function inQueueOrder(left: QueueEntry, right: QueueEntry): number {
  return byPriority(left, right) || left.queuedAtMs - right.queuedAtMs || (idOf(left) < idOf(right) ? -1 : 1);
}

export function byPriority(left: QueueEntry, right: QueueEntry): number {
  return Number(right.isPriority) - Number(left.isPriority);
}

export function idOf({ waiting }: QueueEntry): string {
  return waiting.kind === "run" ? waiting.runId : waiting.sessionId;
}
