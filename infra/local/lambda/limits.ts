import { availableParallelism } from "node:os";

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

/** Some 22 MB each; requests wait for one. All of them stay below 1.5 GB. */
export const environmentsMax = 50;

/** With more concurrent starts, which share the processors, all would exceed Lambda's time for a start. */
export const startsAtOnce = Math.max(2, availableParallelism());

/** Reading one of this size takes some milliseconds. */
export const largeBodyBytes = 262_144;

export const bodiesAtOnce = Math.max(1, availableParallelism() - 1);

/** Longer than reading takes: a request with a large body may then wait for a desktop. */
export const bodyTurnMs = 250;

/** A function that reads a large object from the bucket takes the processor for about as long: it parses what it has read. */
export function readTurnMs(bytes: number): number {
  return Math.min(bodyTurnMs, bytes / 7_000);
}

/** From so many of a function on, a request waits for a busy environment first: a start costs those under way more. */
export const environmentsAtOnce = startsAtOnce + 1;

export const patienceMs = 150;

/**
 * Where its environments become free one after another, it waits as long as so many starts take. They take long where
 * the processors are busy, and another environment would gain nothing.
 */
export const patienceInStarts = 6;

export const patienceMsMax = 2_000;
