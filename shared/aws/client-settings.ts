/**
 * Settings of every AWS client. Inside a Region a connection opens within milliseconds and a response takes tens of
 * them; a call that takes longer is aborted and retried, inside the 30 s that a caller has.
 *
 * Connections are kept alive: the SDK's own default, relied on for a warm function's latency.
 */
export const clientSettings = {
  /** The first attempt and two retries, with the SDK's jittered pauses. */
  maxAttempts: 3,
  retryMode: "standard",
  requestHandler: {
    connectionTimeout: 1_000,
    requestTimeout: 5_000,
    // Without it the SDK only warns.
    throwOnRequestTimeout: true,
  },
} as const;
