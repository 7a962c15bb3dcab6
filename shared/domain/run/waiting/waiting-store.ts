import type { RunStatus } from "../../../vocabulary/runs.ts";
import type { OrganizationId } from "../../organization-id.ts";
import type { QueueEntry, WaitingRunEntry } from "./queue-entry.ts";
import type { Target } from "./target.ts";

export interface WaitingEnd {
  readonly status: Extract<RunStatus, "cancelled" | "error">;
  readonly reason: string;
}

export interface WaitingStore {
  /** Makes one consistent query, from the start or after an entry. */
  oldest(
    organizationId: OrganizationId,
    target: Target,
    limit: number,
    after?: QueueEntry,
  ): Promise<readonly QueueEntry[]>;
  /** Makes one transaction for up to 50 entries, or one each when some have moved on. Sessions and chains stay. */
  endRuns(entries: readonly WaitingRunEntry[], end: WaitingEnd & { readonly endedAt: string }): Promise<void>;
  /** Finds pool sets that are or were in use, in one query over all sets. */
  poolSetsWith(organizationId: OrganizationId, poolId: string): Promise<readonly (readonly string[])[]>;
}
