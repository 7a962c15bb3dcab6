import { type Caller, requireScope } from "../access/caller.ts";
import type { Page, PageRequest } from "../page.ts";
import type { Schedule } from "./schedule.ts";
import { scheduleNotFound } from "./schedule-deps.ts";
import type { ScheduleFilter, ScheduleStore } from "./schedule-store.ts";

export async function getSchedule(
  deps: { readonly schedules: Pick<ScheduleStore, "find"> },
  caller: Caller,
  { scheduleId }: { readonly scheduleId: string },
): Promise<Schedule> {
  requireScope(caller, "read");
  const schedule = await deps.schedules.find(caller.organizationId, scheduleId);
  if (schedule === undefined) throw scheduleNotFound(scheduleId);
  return schedule;
}

export async function listSchedules(
  deps: { readonly schedules: Pick<ScheduleStore, "list"> },
  caller: Caller,
  { filter, page }: { readonly filter: ScheduleFilter; readonly page: PageRequest },
): Promise<Page<Schedule>> {
  requireScope(caller, "read");
  return await deps.schedules.list(caller.organizationId, filter, page);
}
