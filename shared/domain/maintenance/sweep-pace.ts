const minuteMs = 60_000;

/** Counts the minute among so many, from 0. */
export function minuteOf(nowMs: number, minutes: number): number {
  return Math.floor(nowMs / minuteMs) % minutes;
}
