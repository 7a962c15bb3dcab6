import type { OrganizationId } from "../../access/organization-id.ts";
import type { QueueEntry, WaitingRunEntry } from "../../matching/queue-entry.ts";
import type { Target } from "../../matching/target.ts";
import type { RunStatus } from "../run-status.ts";

/** How what waits is ended. */
export interface WaitingEnd {
  readonly status: Extract<RunStatus, "cancelled" | "error">;
  /** Why, for whoever reads the run. */
  readonly reason: string;
}

/** Queues, for whoever ends many of those that wait. */
export interface WaitingStore {
  /** The oldest, in order, or the oldest behind that one: one consistent query. */
  oldest(
    organizationId: OrganizationId,
    target: Target,
    limit: number,
    after?: QueueEntry,
  ): Promise<readonly QueueEntry[]>;
  /**
   * Ends those that still wait, and takes them out of their queue: one transaction for as many as 50, one each when
   * some have moved on. Neither their sessions nor their chains are looked at: that is for whoever ends a queue.
   */
  endRuns(entries: readonly WaitingRunEntry[], end: WaitingEnd & { readonly endedAt: string }): Promise<void>;
  /** The sets that something waits for, or waited for, and that name the pool. One query over all sets. */
  poolSetsWith(organizationId: OrganizationId, poolId: string): Promise<readonly (readonly string[])[]>;
}
