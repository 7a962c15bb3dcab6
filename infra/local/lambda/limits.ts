/** Source: https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html */

export const syncRequestBytesMax = 6_291_456;

/** Lambda grants a response 100 bytes more than a request. */
export const syncResponseBytesMax = 6_291_556;

export const asyncRequestBytesMax = 1_048_576;

/** Source: https://docs.aws.amazon.com/lambda/latest/dg/lambda-runtime-environment.html */
export const initTimeoutMs = 10_000;

/** An account has 1,000 requests in flight; beyond the limit calls are throttled. */
export const concurrencyMax = 200;

/** So that a flood of one function leaves places to the others. On AWS functions reserve theirs by `lambdaConcurrency`. */
export const functionShare = 1 / 2;

/** Lambda keeps an idle environment for some minutes; here its memory is the developer's. */
export const environmentIdleMs = 60_000;

/** Some 20 MB each; requests wait for one. Fifty calls to mute desktops, 25 s each, leave enough to others. */
export const environmentsMax = 80;
