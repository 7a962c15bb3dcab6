import type { OrganizationId } from "../organization-id.ts";
import type { CreateRunsOutcome, NewRuns } from "../run/run-store.ts";
import type { Plan } from "./plan.ts";
import type { Schedule } from "./schedule.ts";
import type { Firing } from "./schedule-store.ts";

export interface DuePlace {
  readonly organizationId: OrganizationId;
  readonly id: string;
  readonly dueMs: number;
  /** All schedules of an organization are in one shard. */
  readonly shard: number;
}

/** What a write of the scheduler leaves. */
export type Settlement = Partial<
  Plan & Firing & Pick<Schedule, "isEnabled" | "disabledReason" | "updatedAt">
>;

export type SettleOutcome =
  | { readonly kind: "settled"; readonly schedule: Schedule }
  /** Another invocation has settled the occurrence, or a person has changed the schedule. */
  | { readonly kind: "changed" }
  | Extract<CreateRunsOutcome, { readonly kind: "missing" }>;

/** The schedules of all organizations, in shards. */
export interface DueScheduleStore {
  /** Lists earliest first, within a shard or in all of them; eventually consistent. */
  listDue(untilMs: number, shard?: number): Promise<readonly DuePlace[]>;
  /** The read is strongly consistent; those that are gone are left out. */
  findDue(places: readonly Pick<DuePlace, "organizationId" | "id">[]): Promise<readonly Schedule[]>;
  /**
   * Writes on the condition that the schedule is as read, with the new run in the same transaction. A run that is there
   * already stays as it is.
   */
  settle(before: Schedule, settlement: Settlement, news?: NewRuns): Promise<SettleOutcome>;
}
