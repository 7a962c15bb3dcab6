/**
 * Region, credentials and endpoint come from the environment that Lambda gives. Inside a Region a connection opens
 * within milliseconds: a call that takes longer is aborted and retried, inside the 30 s that a caller has.
 */
export const clientSettings = {
  maxAttempts: 3,
  retryMode: "standard",
  requestHandler: {
    connectionTimeout: 1_000,
    requestTimeout: 5_000,
    // Without this option the SDK only warns.
    throwOnRequestTimeout: true,
  },
} as const;
