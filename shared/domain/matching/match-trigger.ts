import type { OrganizationId } from "../organization-id.ts";
import type { QueueEntry } from "../run/waiting/queue-entry.ts";

export type MatchTrigger =
  | {
      readonly kind: "queued";
      readonly organizationId: OrganizationId;
      readonly entry: QueueEntry;
      /** Idle rows up to this one have been read without success. */
      readonly idleAfter?: string;
    }
  /** A machine may have become able or unable to take a run. */
  | { readonly kind: "machine_changed"; readonly organizationId: OrganizationId; readonly machineId: string }
  | {
      readonly kind: "pool_left";
      readonly organizationId: OrganizationId;
      readonly machineId: string;
      readonly poolId: string;
    }
  | { readonly kind: "session_ended"; readonly organizationId: OrganizationId; readonly sessionId: string }
  | {
      readonly kind: "chain_stopped";
      readonly organizationId: OrganizationId;
      readonly sessionId: string;
      readonly chainId: string;
    }
  /** The organization was full, and one of its executions has ended. */
  | {
      readonly kind: "execution_ended";
      readonly organizationId: OrganizationId;
      /** The machines that could begin no run, or `anyIdle`. */
      readonly refused: readonly string[];
      readonly idleAfter?: string;
    }
  /** The rest of an organization's work that a round left. */
  | {
      readonly kind: "left";
      readonly organizationId: OrganizationId;
      readonly changes: readonly MatchChange[];
    }
  /** Organizations wait in the line, and an execution of any organization has ended. */
  | { readonly kind: "place_freed" };

export type MatchChange = Exclude<MatchTrigger, { readonly kind: "left" | "place_freed" }>;
