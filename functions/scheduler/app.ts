import type { DuePlace, DueScheduleStore } from "../../shared/domain/schedule/due-schedule-store.ts";
import { type FireDueDeps, fireDue } from "../../shared/domain/schedule/fire-due.ts";

/** A helper deals with one shard until the same minute; the timer's event has neither field. */
export interface ScheduledShard {
  readonly shard: number;
  readonly untilMs: number;
}

export interface SchedulerDeps extends FireDueDeps {
  readonly dueSchedules: DueScheduleStore;
  readonly helper: { start(work: ScheduledShard): Promise<void> };
}

const minuteMs = 60_000;

/** From this many on, each shard has an invocation of its own. */
const sharedFrom = 100;

/** The rest of the invocation's time is for the last calls. */
const firingMs = 110_000;

/**
 * Deals with what is due, and then with the coming whole minute: EventBridge invokes at any second of a minute, and an
 * occurrence is to be met at its first one. Where nothing is planned for it, nothing waits.
 */
export function createScheduler(deps: SchedulerDeps): (event?: Partial<ScheduledShard>) => Promise<void> {
  const { clock, dueSchedules, helper, logger } = deps;
  return async ({ shard, untilMs: given }: Partial<ScheduledShard> = {}) => {
    const beganMs = clock.now();
    const untilMs = given ?? (Math.floor(beganMs / minuteMs) + 1) * minuteMs;
    const planned = await dueSchedules.listDue(untilMs, shard);
    if (shard === undefined && planned.length >= sharedFrom) {
      const shards = [...new Set(planned.map((place) => place.shard))];
      await Promise.all(shards.map(async (each) => await helper.start({ shard: each, untilMs })));
      logger.info("schedules shared", { planned: planned.length, shards: shards.length });
      return;
    }
    const endMs = beganMs + firingMs;
    let failed = 0;
    const fire = async (places: readonly DuePlace[]): Promise<boolean> => {
      const fired = await fireDue(deps, places, endMs);
      failed += fired.failed;
      logger.info("schedules fired", {
        ...fired.counts,
        failed: fired.failed,
        schedules_late_ms: fired.lateMs,
        duration_ms: clock.now() - beganMs,
      });
      return Object.keys(fired.counts).length > 0;
    };
    const isLate = ({ dueMs }: DuePlace) => dueMs <= beganMs;
    const hasFired = await fire(planned.filter(isLate));
    // The schedules that were late may be due again.
    const next = hasFired ? await dueSchedules.listDue(untilMs, shard) : planned;
    if (next.some((place) => !isLate(place))) {
      await clock.sleep(untilMs - clock.now());
      // Those that were written meanwhile are due, too.
      await fire(await dueSchedules.listDue(untilMs, shard));
    }
    if (failed > 0) throw new Error(`${failed} schedules could not be dealt with`);
  };
}
