import type { Clock, Ids } from "../clock.ts";
import { notFound } from "../entity/not-found.ts";
import { ChangedTooOften } from "../errors.ts";
import type { RequireInputsDeps } from "../run/inputs/require-inputs.ts";
import type { KeepFilesDeps } from "./keep-files.ts";
import type { Schedule } from "./schedule.ts";
import type { ScheduleStore, UpdateScheduleOutcome } from "./schedule-store.ts";

export interface ScheduleDeps extends RequireInputsDeps, KeepFilesDeps {
  readonly schedules: ScheduleStore;
  readonly clock: Clock;
  readonly ids: Ids;
}

export function requireUpdatedSchedule(
  scheduleId: string,
  outcome: Exclude<UpdateScheduleOutcome, { readonly kind: "changed" }>,
): Schedule {
  if (outcome.kind === "not_found") throw notFound("schedule", scheduleId);
  return outcome.schedule;
}

/** A write since the read has replaced what was read. */
export function scheduleChanges(): ChangedTooOften {
  return new ChangedTooOften("the schedule");
}
