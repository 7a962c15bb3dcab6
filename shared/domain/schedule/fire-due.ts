import type { ApiKey } from "../access/api-key.ts";
import { forEachBounded } from "../bounded-parallel.ts";
import { isPending } from "./decide.ts";
import type { DuePlace } from "./due-schedule-store.ts";
import { type FireDeps, type FiredCounts, fireSchedule } from "./fire-schedule.ts";
import type { Schedule } from "./schedule.ts";

export interface FireDueDeps extends FireDeps {}

export interface FiredDue {
  readonly counts: FiredCounts;
  /** The age of the oldest occurrence that was found due. */
  readonly lateMs: number;
  /** The schedules that could not be dealt with, which stay due. */
  readonly failed: number;
}

const readAtOnce = 100;

/** Runs of one organization write the same rows, its workflow's and its counters', so they follow one another. */
const organizationsAtOnce = 20;

/** Deals with the places given that are still due. After `untilMs` no further schedule is begun. */
export async function fireDue(
  deps: FireDueDeps,
  places: readonly DuePlace[],
  untilMs: number,
): Promise<FiredDue> {
  const counts: Record<string, number> = {};
  const within = { ...deps, apiKeys: { find: memoized((id: string) => deps.apiKeys.find(id)) } };
  let lateMs = 0;
  let failed = 0;
  const fire = async (schedule: Schedule): Promise<void> => {
    const nowMs = deps.clock.now();
    if (nowMs >= untilMs) return;
    if (schedule.dueAt !== null) lateMs = Math.max(lateMs, nowMs - Date.parse(schedule.dueAt));
    try {
      await fireSchedule(within, schedule, (outcome, count) => {
        counts[outcome] = (counts[outcome] ?? 0) + count;
      });
    } catch (cause) {
      failed += 1;
      const { organizationId: organization_id, id: schedule_id } = schedule;
      deps.logger.error("a schedule could not be dealt with", { organization_id, schedule_id, cause });
    }
  };
  for (let start = 0; start < places.length && deps.clock.now() < untilMs; start += readAtOnce) {
    const found = await deps.dueSchedules.findDue(places.slice(start, start + readAtOnce));
    const due = found.filter((schedule) => isPending(schedule, deps.clock.now()));
    const ofOrganizations = [...Map.groupBy(due, ({ organizationId }) => organizationId).values()];
    await forEachBounded(
      ofOrganizations,
      async (schedules) => {
        for (const schedule of schedules) await fire(schedule);
      },
      organizationsAtOnce,
    );
  }
  return { counts, lateMs, failed };
}

function memoized(find: (id: string) => Promise<ApiKey | undefined>) {
  const found = new Map<string, Promise<ApiKey | undefined>>();
  return async (id: string): Promise<ApiKey | undefined> => {
    const known = found.get(id) ?? find(id);
    found.set(id, known);
    return await known;
  };
}
