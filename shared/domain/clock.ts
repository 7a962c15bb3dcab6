/** The time, passed in wherever a test will care. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after that many milliseconds. */
  sleep(ms: number): Promise<void>;
}

/** Fresh identifiers, passed in so that a repeat can make the same ones. */
export interface Ids {
  /** A UUID of version 7, which sorts by the time it was made. */
  uuid7(): string;
}

/** A moment as the API shows it: ISO 8601, UTC, milliseconds. */
export function isoTimestamp(ms: number): string {
  return new Date(ms).toISOString();
}
