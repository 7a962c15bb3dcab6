export interface Clock {
  now(): number;
  sleep(ms: number): Promise<void>;
}

/** Fresh identifiers, injected so that a retry can create the same ones. */
export interface Ids {
  /** A UUID of version 7, which sorts by creation time. */
  uuid7(): string;
}

/** A timestamp as the API shows it: ISO 8601, UTC, milliseconds. */
export function isoTimestamp(ms: number): string {
  return new Date(ms).toISOString();
}

/** The day in UTC, such as `2026-01-31`. */
export function dayOf(ms: number): string {
  return isoTimestamp(ms).slice(0, 10);
}
