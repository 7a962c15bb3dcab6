import type { MiddlewareHandler } from "hono";
import type { Caller } from "../../domain/access/caller.ts";
import type { RateBucket, RateDecision } from "../../domain/access/rate-limits.ts";
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
 */
export function limitRate(deps: RateLimitDeps & Pick<AppDeps, "clock">): MiddlewareHandler<HttpEnv> {
  const refusedUntil = new Map<string, number>();
  return async (c, next) => {
    const { caller } = c.var;
    const counted = takeInTurn(deps, bucketsOf(deps, c, caller));
    const admission = counted.then((decision) => decision && requireAllowed(decision));
    admission.catch(() => undefined);
    c.set("admission", admission);
    const show = (decision: RateDecision | undefined) => {
      if (decision && caller.kind !== "session") showLimit(c, decision);
    };
    if (deps.clock.now() < (refusedUntil.get(caller.principal) ?? 0)) {
      show(await counted);
      await admission;
    }
    await next();
    const decision = await counted.catch((error: unknown) => {
      if (c.error === undefined) throw error;
      return undefined;
    });
    show(decision);
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
  c: HttpContext,
  { kind, userId, principal, organizationId }: Caller,
): readonly RateBucket[] {
  if (kind === "session") {
    return [
      { name: `jwt-user#${userId}`, limit: sessionUserLimit },
      { name: `jwt-organization#${organizationId}`, limit: sessionOrganizationLimit },
    ];
  }
  const suffix = isCleanUp(c) ? "-clean-up" : "";
  return [
    { name: `api-key${suffix}#${principal}`, limit: rateLimits.perApiKey },
    { name: `api-keys${suffix}#${organizationId}`, limit: rateLimits.perOrganization },
  ];
}

/**
 * The counts follow one another, so that a request over the caller's limit does not count against the organization. A
 * limit of 0 is off.
 *
 * @returns the decision that refuses, else the first.
 */
async function takeInTurn(
  { rateLimiter }: RateLimitDeps,
  buckets: readonly RateBucket[],
): Promise<RateDecision | undefined> {
  let first: RateDecision | undefined;
  for (const bucket of buckets) {
    if (bucket.limit === 0) continue;
    const decision = await rateLimiter.take(bucket);
    if (decision.kind === "refused") return decision;
    first ??= decision;
  }
  return first;
}

function showLimit(c: HttpContext, decision: RateDecision): void {
  // Hono copies a finished response for each header.
  const set = (name: string, value: number) =>
    c.finalized ? c.res.headers.set(name, String(value)) : c.header(name, String(value));
  set("X-RateLimit-Limit", decision.limit);
  set("X-RateLimit-Remaining", decision.kind === "allowed" ? decision.remaining : 0);
  set("X-RateLimit-Reset", decision.resetSeconds);
}

export function requireAllowed(decision: RateDecision): void {
  if (decision.kind === "allowed") return;
  throw new DomainError("rate_limited", "too many requests; try again after Retry-After seconds", {
    retryAfterSeconds: decision.retryAfterSeconds,
  });
}
