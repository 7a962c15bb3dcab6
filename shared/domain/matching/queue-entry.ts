import type { OrganizationId } from "../access/organization-id.ts";
import type { Target } from "./target.ts";

/**
 * One place in a queue. A run waits in the queue of its target; a pending session waits in that of its placement, and
 * stands for the oldest run of its own queue.
 */
export interface QueueEntry {
  readonly organizationId: OrganizationId;
  readonly target: Target;
  /** Age counts from here, in ms since the epoch; equal moments go by id. */
  readonly queuedAtMs: number;
  readonly waiting: WaitingRun | { readonly kind: "session"; readonly sessionId: string };
}

/** A run in a queue, with the ids of what an assignment reads, so that one read is enough for it. */
export interface WaitingRun {
  readonly kind: "run";
  readonly runId: string;
  readonly chainId: string | null;
  readonly workflowId: string;
  /** The pools that the run names, whatever its target is. */
  readonly poolIds: readonly string[];
  /** The earlier steps of its chain that its inputs referred to when it was queued. */
  readonly earlierRunIds: readonly string[];
  /** Whether it leaves a secret when it ends; absent: no. */
  readonly hasSecret?: true;
}

/** A run's place in a queue. */
export interface WaitingRunEntry extends QueueEntry {
  readonly waiting: WaitingRun;
}

/** A place that a run has, not a session. */
export function isRunEntry<Entry extends QueueEntry>(entry: Entry): entry is Entry & WaitingRunEntry {
  return entry.waiting.kind === "run";
}

/** A machine that was free when its row was written. A hint: the assignment reads the machine itself. */
export interface IdleMachine {
  readonly organizationId: OrganizationId;
  readonly machineId: string;
  readonly poolIds: readonly string[];
  /** Of the machine when the row was written; a row is replaced or removed by whoever knows a later one. */
  readonly machineRevision: number;
}

/** Which is older; for sorting queues of several targets into one. */
export function byAge(left: QueueEntry, right: QueueEntry): number {
  return left.queuedAtMs - right.queuedAtMs || (idOf(left) < idOf(right) ? -1 : 1);
}

function idOf({ waiting }: QueueEntry): string {
  return waiting.kind === "run" ? waiting.runId : waiting.sessionId;
}
