/**
 * What every client of AWS shares. A connection inside a Region stands within milliseconds and an answer comes
 * within tens of them; whatever takes longer is given up and tried again, inside the 30 s that a caller has.
 *
 * Connections are kept alive: the SDK's own default, relied on for a warm function's latency.
 */
export const clientSettings = {
  /** The first and two more, with the SDK's jittered pauses. */
  maxAttempts: 3,
  retryMode: "standard",
  requestHandler: {
    connectionTimeout: 1_000,
    requestTimeout: 5_000,
    // Without it the SDK only warns.
    throwOnRequestTimeout: true,
  },
} as const;
