import type { Clock, Ids } from "../clock.ts";
import type { RequireInputsDeps } from "../run/inputs/require-inputs.ts";
import type { KeepFilesDeps } from "./keep-files.ts";
import type { ScheduleStore } from "./schedule-store.ts";

export interface ScheduleDeps extends RequireInputsDeps, KeepFilesDeps {
  readonly schedules: ScheduleStore;
  readonly clock: Clock;
  readonly ids: Ids;
}
