import type { MiddlewareHandler } from "hono";
import type { Caller } from "../../domain/access/caller.ts";
import type { RateBucket, RateDecision } from "../../domain/access/rate-limits.ts";
import { DomainError } from "../../domain/errors.ts";
import type { RateLimitDeps } from "../http-deps.ts";
import type { HttpContext, HttpEnv } from "../http-env.ts";

/** The requests of a dashboard user in a window of 60 s, from the specification. */
export const sessionUserLimit = 480;

export const sessionOrganizationLimit = 4_000;

/** Runs after `authenticate`. A dashboard's request costs two writes, an API key's one for each limit that is on. */
export function limitRate(deps: RateLimitDeps): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const { caller } = c.var;
    if (caller.kind === "session") await limitSession(deps, caller);
    else await limitApiKey(deps, c, caller);
    await next();
  };
}

/** Requests that end things have separate buckets, so that a program that reads too much can still clean up. */
function isCleanUp(c: HttpContext): boolean {
  return c.req.method === "DELETE" || c.req.path.endsWith("/driver/shutdown");
}

/** The counts follow one another, so that a request over the user's limit does not count against the organization. */
async function limitSession(deps: RateLimitDeps, caller: Caller): Promise<void> {
  const buckets: readonly RateBucket[] = [
    { name: `jwt-user#${caller.userId}`, limit: sessionUserLimit },
    { name: `jwt-organization#${caller.organizationId}`, limit: sessionOrganizationLimit },
  ];
  for (const bucket of buckets) requireAllowed(await deps.rateLimiter.take(bucket));
}

/** The headers are those of the key, or of the limit that refuses. */
async function limitApiKey(deps: RateLimitDeps, c: HttpContext, caller: Caller): Promise<void> {
  const { perApiKey, perOrganization } = deps.rateLimits;
  const kind = isCleanUp(c) ? "-clean-up" : "";
  const limits = [
    { name: `api-key${kind}#${caller.principal}`, limit: perApiKey },
    { name: `api-keys${kind}#${caller.organizationId}`, limit: perOrganization },
  ];
  for (const { name, limit } of limits) {
    if (limit === 0) continue;
    const decision = await deps.rateLimiter.take({ name, limit });
    if (decision.kind === "refused" || !c.res.headers.has("X-RateLimit-Limit")) showLimit(c, decision);
    requireAllowed(decision);
  }
}

function showLimit(c: HttpContext, decision: RateDecision): void {
  c.header("X-RateLimit-Limit", String(decision.limit));
  c.header("X-RateLimit-Remaining", String(decision.kind === "allowed" ? decision.remaining : 0));
  c.header("X-RateLimit-Reset", String(decision.resetSeconds));
}

export function requireAllowed(decision: RateDecision): void {
  if (decision.kind === "allowed") return;
  throw new DomainError("rate_limited", "too many requests; try again after Retry-After seconds", {
    retryAfterSeconds: decision.retryAfterSeconds,
  });
}
