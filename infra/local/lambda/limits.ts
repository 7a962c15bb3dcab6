/**
 * Source of all of them: https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */

/** A synchronous request: the event as JSON, base64 counted as the text that it is. */
export const syncRequestBytesMax = 6_291_456;

/** A synchronous response. Lambda grants 100 bytes more than for the request and says so in its error. */
export const syncResponseBytesMax = 6_291_556;

/** An asynchronous request. */
export const asyncRequestBytesMax = 1_048_576;

/**
 * Time for everything outside of the handler.
 *
 * Source: https://docs.aws.amazon.com/lambda/latest/dg/lambda-runtime-environment.html
 */
export const initTimeoutMs = 10_000;

/** Environments of all functions together, where an account has 1,000: beyond it calls are throttled. */
export const concurrencyMax = 200;
