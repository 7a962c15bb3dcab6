import { isoTimestamp } from "../clock.ts";
import { nextOccurrence, type Recurrence } from "./occurrences.ts";
import type { Schedule } from "./schedule.ts";

export type Plan = Pick<Schedule, "dueAt" | "waitingDueAt">;

/**
 * The plan of a schedule that is created, switched on or off, or given other times: nothing is due of the past. What
 * waits goes on waiting, unless the schedule is switched off.
 */
export function planOf(
  schedule: Recurrence & Pick<Schedule, "isEnabled"> & Partial<Pick<Schedule, "waitingDueAt">>,
  nowMs: number,
): Plan {
  if (!schedule.isEnabled) return { dueAt: null, waitingDueAt: null };
  return { dueAt: dueAfter(schedule, nowMs), waitingDueAt: schedule.waitingDueAt ?? null };
}

export function dueAfter(schedule: Recurrence, ms: number): string | null {
  const next = nextOccurrence(schedule, ms);
  return next === undefined ? null : isoTimestamp(next);
}
