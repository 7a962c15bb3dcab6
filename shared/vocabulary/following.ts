/**
 * The wait and the response fit into the 29 s of a function.
 *
 * Source: https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-quotas.html
 */
export const waitSecondsMax = 20;

/** Requests that wait at the same time. A dashboard's user counts as a key. */
export const keyWaitsMax = 10;
export const organizationWaitsMax = 50;

/** A request that finds no place is answered at once, with this Retry-After. */
export const fullRetryAfterSeconds = 2;
