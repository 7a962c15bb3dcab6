import type { MiddlewareHandler } from "hono";
import type { Caller } from "../../domain/access/caller.ts";
import type { RateBucket, RateDecision } from "../../domain/access/rate-limits.ts";
import { DomainError } from "../../domain/errors.ts";
import type { RateLimitDeps } from "../http-deps.ts";
import type { HttpContext, HttpEnv } from "../http-env.ts";

/** Requests of a dashboard user in a window of 60 s, from the specification. */
export const sessionUserLimit = 480;

/** Requests of all dashboard users of an organization in a window of 60 s, from the specification. */
export const sessionOrganizationLimit = 4_000;

/** Use after `authenticate`. A dashboard's request costs two writes, an API key's at most one. */
export function limitRate(deps: RateLimitDeps): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const { caller } = c.var;
    if (caller.kind === "session") await limitSession(deps, caller);
    else if (deps.rateLimits.perApiKey !== undefined) {
      const bucket = isCleanUp(c) ? "api-key-clean-up" : "api-key";
      const limit = deps.rateLimits.perApiKey;
      await limitApiKey(deps, c, { name: `${bucket}#${caller.principal}`, limit });
    }
    await next();
  };
}

/**
 * Requests that end things have a separate bucket of the same size: a program that reads too much can still clean up.
 */
function isCleanUp(c: HttpContext): boolean {
  return c.req.method === "DELETE" || c.req.path.endsWith("/driver/shutdown");
}

/** In sequence: a request over the user's limit does not count against the organization. */
async function limitSession(deps: RateLimitDeps, caller: Caller): Promise<void> {
  const buckets: readonly RateBucket[] = [
    { name: `jwt-user#${caller.userId}`, limit: sessionUserLimit },
    { name: `jwt-organization#${caller.organizationId}`, limit: sessionOrganizationLimit },
  ];
  for (const bucket of buckets) requireAllowed(await deps.rateLimiter.take(bucket));
}

async function limitApiKey(deps: RateLimitDeps, c: HttpContext, bucket: RateBucket): Promise<void> {
  const decision = await deps.rateLimiter.take(bucket);
  c.header("X-RateLimit-Limit", String(decision.limit));
  c.header("X-RateLimit-Remaining", String(decision.kind === "allowed" ? decision.remaining : 0));
  c.header("X-RateLimit-Reset", String(decision.resetSeconds));
  requireAllowed(decision);
}

/** @throws {DomainError} `rate_limited`, with the time to wait. */
export function requireAllowed(decision: RateDecision): void {
  if (decision.kind === "allowed") return;
  throw new DomainError("rate_limited", "too many requests; try again after Retry-After seconds", {
    retryAfterSeconds: decision.retryAfterSeconds,
  });
}
