const backoffMs = [1_000, 2_000, 4_000, 8_000, 16_000] as const;
const backoffLongestMs = 16_000;
const minuteMs = 60_000;

/** A connection that lived this long resets the backoff. */
export const stableConnectionMs = 10_000;

/** The jitter keeps a fleet that lost the service at the same time from returning at the same time. */
export function reconnectDelayMs(failures: number, random: () => number): number {
  return (backoffMs[failures] ?? backoffLongestMs) * (0.7 + 0.6 * random());
}

const patientFirstMs = 15_000;
const patientLongestMs = 5 * minuteMs;

/** Source: https://aws.amazon.com/builders-library/timeouts-retries-and-backoff-with-jitter/ */
export function patientDelayMs(failures: number, random: () => number): number {
  return Math.min(patientFirstMs * 2 ** failures, patientLongestMs) * random();
}

/** Only a person can repair the refusal before this delay. */
export function slowRetryDelayMs(random: () => number): number {
  return (15 + 45 * random()) * minuteMs;
}

/** The gateway closes every connection at 2 hours. */
export function replacementDelayMs(random: () => number): number {
  return (90 + 25 * random()) * minuteMs;
}
