const minuteMs = 60_000;

/** Returns the current minute modulo `minutes`. */
export function minuteOf(nowMs: number, minutes: number): number {
  return Math.floor(nowMs / minuteMs) % minutes;
}
