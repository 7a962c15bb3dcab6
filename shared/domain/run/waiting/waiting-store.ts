import type { RunStatus } from "../../../vocabulary/runs.ts";
import type { OrganizationId } from "../../organization-id.ts";
import type { QueueEntry, WaitingRunEntry } from "./queue-entry.ts";
import type { Target } from "./target.ts";

/** How to end runs that wait. */
export interface WaitingEnd {
  readonly status: Extract<RunStatus, "cancelled" | "error">;
  /** The reason shown in the run. */
  readonly reason: string;
}

/** Queues, as far as ending many waiting runs needs them. */
export interface WaitingStore {
  /** The oldest entries, in order, or the oldest behind a given one: one consistent query. */
  oldest(
    organizationId: OrganizationId,
    target: Target,
    limit: number,
    after?: QueueEntry,
  ): Promise<readonly QueueEntry[]>;
  /**
   * Ends those that still wait and removes them from their queue: one transaction for up to 50, one each when some have
   * moved on. Sessions and chains are the caller's to end.
   */
  endRuns(entries: readonly WaitingRunEntry[], end: WaitingEnd & { readonly endedAt: string }): Promise<void>;
  /** The pool sets in use, now or before, that name the pool. One query over all sets. */
  poolSetsWith(organizationId: OrganizationId, poolId: string): Promise<readonly (readonly string[])[]>;
}
