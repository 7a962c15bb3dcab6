/**
 * Source of all of them: https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */

/** A synchronous request: the event as JSON, base64 counted as the text that it is. */
export const SYNC_REQUEST_BYTES_MAX = 6_291_456;

/** A synchronous answer. Lambda grants 100 bytes more than for the request and says so in its error. */
export const SYNC_RESPONSE_BYTES_MAX = 6_291_556;

/** An asynchronous request. */
export const ASYNC_REQUEST_BYTES_MAX = 1_048_576;

/**
 * Time for everything outside of the handler.
 *
 * Source: https://docs.aws.amazon.com/lambda/latest/dg/lambda-runtime-environment.html
 */
export const INIT_TIMEOUT_MS = 10_000;

/** Environments of all functions together, where an account has 1,000: beyond it calls are throttled. */
export const CONCURRENCY_MAX = 200;
