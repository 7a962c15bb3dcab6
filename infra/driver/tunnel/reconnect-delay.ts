const backoffMs = [1_000, 2_000, 4_000, 8_000, 16_000] as const;
const backoffLongestMs = 16_000;
const minuteMs = 60_000;

/** A connection that lived this long starts the backoff from its first step again. */
export const stableConnectionMs = 10_000;

/**
 * Milliseconds until the next attempt: 1, 2, 4, 8, 16 s, ±30 %, so that a fleet that lost the service at the
 * same time does not return at the same time.
 *
 * @param failures attempts that have failed in a row before this one, from 0.
 */
export function reconnectDelayMs(failures: number, random: () => number): number {
  return (backoffMs[failures] ?? backoffLongestMs) * (0.7 + 0.6 * random());
}

const patientFirstMs = 15_000;
const patientLongestMs = 5 * minuteMs;

/**
 * Milliseconds until the next attempt after 429, or when nobody answers: from 0 to 15, 30, 60 s … 5 minutes ("full
 * jitter"), so that a fleet that is refused or cut off comes back no faster than the service takes it.
 *
 * Source: https://aws.amazon.com/builders-library/timeouts-retries-and-backoff-with-jitter/
 */
export function patientDelayMs(failures: number, random: () => number): number {
  return Math.min(patientFirstMs * 2 ** failures, patientLongestMs) * random();
}

/** Milliseconds until the next attempt after a refusal that only a person can repair: 15 to 60 minutes. */
export function slowRetryDelayMs(random: () => number): number {
  return (15 + 45 * random()) * minuteMs;
}

/**
 * Milliseconds after which a driver replaces its connection by itself: 90 to 115 minutes.
 *
 * The gateway closes every connection at 2 hours.
 * Source: https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-execution-service-websocket-limits-table.html
 */
export function replacementDelayMs(random: () => number): number {
  return (90 + 25 * random()) * minuteMs;
}
