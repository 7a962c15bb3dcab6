import type { ScheduleStop } from "../../vocabulary/schedules.ts";
import type { Edit } from "../entity/edition.ts";
import type { EntityStore } from "../entity/entity-store.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import type { Metadata } from "../metadata/metadata.ts";
import type { OrganizationId } from "../organization-id.ts";
import type { AnyOf, CreatedRange, Page, PageRequest } from "../page.ts";
import type { Schedule } from "./schedule.ts";

export type ScheduleChange = Partial<
  Omit<
    Schedule,
    "id" | "organizationId" | "createdAt" | "updatedAt" | "deletedAt" | "revision" | "edition" | keyof Firing
  >
> &
  Pick<Schedule, "updatedAt">;

/** What became of an occurrence. */
export type Firing = Pick<Schedule, "lastDueAt" | "lastFiredAt" | "lastOutcome" | "lastRunId" | "missed">;

export interface ScheduleFilter extends CreatedRange {
  /** A case-insensitive substring of id or name. */
  readonly search?: string;
  readonly workflowId?: AnyOf<string>;
  readonly isEnabled?: boolean;
  readonly metadata?: Metadata;
}

export type CreateScheduleOutcome = { readonly kind: "created" } | { readonly kind: "limit_reached" };

export type UpdateScheduleOutcome =
  | { readonly kind: "updated"; readonly schedule: Schedule }
  | { readonly kind: "not_found" }
  /** The schedule changed since `before` was read. */
  | { readonly kind: "changed" };

export interface ScheduleStore extends EntityStore<Schedule> {
  /** `limit_reached` means that the organization has `schedulesMax`. */
  create(schedule: Schedule, idempotency?: Idempotency): Promise<CreateScheduleOutcome>;
  /** @throws {ChangedMeanwhile} */
  update(
    before: Schedule,
    change: ScheduleChange,
    options?: { readonly idempotency?: Idempotency | undefined; readonly edit?: Edit | undefined },
  ): Promise<UpdateScheduleOutcome>;
  /** Switches a schedule off. Changes nothing of one that was edited, switched off or deleted since it was read. */
  switchOff(before: Schedule, reason: ScheduleStop, at: string): Promise<boolean>;
  /** Lists newest first, with the exact total. The contents of files are left out as null. */
  list(organizationId: OrganizationId, filter: ScheduleFilter, page: PageRequest): Promise<Page<Schedule>>;
}
