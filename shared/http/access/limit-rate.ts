import type { MiddlewareHandler } from "hono";
import type { Caller } from "../../domain/access/caller.ts";
import { type RateBucket, type RateDecision, rateWindowSeconds } from "../../domain/access/rate-limits.ts";
import { DomainError } from "../../domain/errors.ts";
import type { AppDeps, RateLimitDeps } from "../http-deps.ts";
import type { HttpContext, HttpEnv } from "../http-env.ts";

/** The requests of a dashboard user in a window of 60 s, from the specification. */
export const sessionUserLimit = 480;

export const sessionOrganizationLimit = 4_000;

/** A caller whose last request was refused waits for the next count, so that refused requests cost no reads. */
const refusedCallersMax = 1_000;

/**
 * Runs after `authenticate`. A dashboard's request costs two writes, an API key's one for each limit that is on. A handler
 * that only reads runs beside them; any other awaits `admission`.
 *
 * @param apart is part of the buckets' names: a group that calls the others counts its own requests apart, with the same limits.
 */
export function limitRate(
  deps: RateLimitDeps & Pick<AppDeps, "clock">,
  apart = "",
): MiddlewareHandler<HttpEnv> {
  const refusedUntil = new Map<string, number>();
  return async (c, next) => {
    const { caller } = c.var;
    const buckets = bucketsOf(deps, apart, c, caller).filter(({ limit }) => limit !== 0);
    const counted = takeInTurn(deps, buckets);
    const admission = counted.then((decisions) => decisions.forEach(requireAllowed));
    admission.catch(() => undefined);
    c.set("admission", admission);
    const show = (decisions: readonly RateDecision[]) => {
      if (caller.kind !== "session") showLimits(c, buckets, decisions);
    };
    if (deps.clock.now() < (refusedUntil.get(caller.principal) ?? 0)) {
      show(await counted);
      await admission;
    }
    await next();
    const decisions = await counted.catch((error: unknown) => {
      if (c.error === undefined) throw error;
      return [];
    });
    show(decisions);
    const decision = decisions.at(-1);
    if (decision?.kind !== "refused") return;
    if (refusedUntil.size >= refusedCallersMax) refusedUntil.clear();
    refusedUntil.set(caller.principal, deps.clock.now() + decision.resetSeconds * 1_000);
    if (c.error === undefined) requireAllowed(decision);
  };
}

/** Requests that end things have separate buckets, so that a program that reads too much can still clean up. */
function isCleanUp(c: HttpContext): boolean {
  return c.req.method === "DELETE" || c.req.path.endsWith("/driver/shutdown");
}

function bucketsOf(
  { rateLimits }: RateLimitDeps,
  apart: string,
  c: HttpContext,
  { kind, userId, principal, organizationId }: Caller,
): readonly RateBucket[] {
  if (kind === "session") {
    return [
      { name: `jwt-user${apart}#${userId}`, limit: sessionUserLimit },
      { name: `jwt-organization${apart}#${organizationId}`, limit: sessionOrganizationLimit },
    ];
  }
  const suffix = isCleanUp(c) ? "-clean-up" : apart;
  return [
    { name: `api-key${suffix}#${principal}`, limit: rateLimits.perApiKey },
    { name: `api-keys${suffix}#${organizationId}`, limit: rateLimits.perOrganization },
  ];
}

/**
 * The counts follow one another, so that a request over the caller's limit does not count against the organization.
 *
 * @returns a decision for each bucket in turn; one that refuses is the last.
 */
async function takeInTurn(
  { rateLimiter }: RateLimitDeps,
  buckets: readonly RateBucket[],
): Promise<readonly RateDecision[]> {
  const decisions: RateDecision[] = [];
  for (const bucket of buckets) {
    const decision = await rateLimiter.take(bucket);
    decisions.push(decision);
    if (decision.kind === "refused") break;
  }
  return decisions;
}

/**
 * The three X- headers show the decision that refuses, else the first. The other two are structured fields, which name
 * each limit.
 *
 * Source: https://datatracker.ietf.org/doc/html/draft-ietf-httpapi-ratelimit-headers-11
 */
function showLimits(
  c: HttpContext,
  buckets: readonly RateBucket[],
  decisions: readonly RateDecision[],
): void {
  const shown = decisions.find(({ kind }) => kind === "refused") ?? decisions[0];
  if (shown === undefined) return;
  // Hono copies a finished response for each header.
  const set = (name: string, value: string | number) =>
    c.finalized ? c.res.headers.set(name, String(value)) : c.header(name, String(value));
  set("X-RateLimit-Limit", shown.limit);
  set("X-RateLimit-Remaining", remainingOf(shown));
  set("X-RateLimit-Reset", shown.resetSeconds);
  const policies = buckets.map((bucket) => `${policyOf(bucket)};q=${bucket.limit};w=${rateWindowSeconds}`);
  const counted = buckets.flatMap((bucket, at) => {
    const decision = decisions[at];
    return decision ? [`${policyOf(bucket)};r=${remainingOf(decision)};t=${decision.resetSeconds}`] : [];
  });
  set("RateLimit-Policy", policies.join(", "));
  set("RateLimit", counted.join(", "));
}

function policyOf({ name }: RateBucket): string {
  return `"${name.split("#")[0]}"`;
}

function remainingOf(decision: RateDecision): number {
  return decision.kind === "allowed" ? decision.remaining : 0;
}

export function requireAllowed(decision: RateDecision): void {
  if (decision.kind === "allowed") return;
  throw new DomainError("rate_limited", "too many requests; try again after Retry-After seconds", {
    retryAfterSeconds: decision.retryAfterSeconds,
  });
}
