const minuteMs = 60_000;

/** Which of so many minutes, one after the other, it is: from 0. */
export function minuteOf(nowMs: number, minutes: number): number {
  return Math.floor(nowMs / minuteMs) % minutes;
}
