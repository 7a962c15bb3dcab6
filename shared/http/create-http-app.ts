import { routePath } from "hono/route";
import { Hono } from "hono/tiny";
import type { RequestOutcome } from "../contract/service-metrics.ts";
import type { MeteredCalls } from "../domain/call-meter.ts";
import { DomainError } from "../domain/errors.ts";
import type { ErrorCode } from "../vocabulary/error-codes.ts";
import { respondToError } from "./errors/error-response.ts";
import type { AppDeps } from "./http-deps.ts";
import type { HttpContext, HttpEnv } from "./http-env.ts";
import { safeHeaders } from "./safe-headers.ts";

const safe = Object.entries(safeHeaders);

/** Adds the request's id, one log line, safe headers, and the specification's error bodies. */
export function createHttpApp(deps: AppDeps): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  app.use(async (c, next) => {
    const startedMs = deps.clock.now();
    // The calls and the time of the instance's start do not count.
    deps.calls.take();
    const requestId = c.env?.requestId ?? deps.ids.uuid7();
    c.set("requestId", requestId);
    c.set("startedMs", startedMs);
    c.set("logger", deps.logger.with({ request_id: requestId }));
    // The router would match the path without the slash.
    if (c.req.path !== "/" && c.req.path.endsWith("/")) c.res = await c.notFound();
    else await next();
    const { headers } = c.res;
    headers.set("X-Request-Id", requestId);
    for (const [name, value] of safe) if (!headers.has(name)) headers.set(name, value);
    logRequest(c, deps.clock.now() - startedMs, deps.calls.take());
  });
  app.onError((error, c) => respondToError(deps, error, c));
  app.notFound((c) => {
    const { method, path } = c.req;
    const advice = path.endsWith("/") ? "no path ends in a slash" : "/docs has all that there are";
    return respondToError(
      deps,
      new DomainError("route_not_found", `there is no ${method} ${path}: ${advice}`),
      c,
    );
  });
  return app;
}

/** Logs only names and numbers: the ids of the path, but no query, headers or bodies. */
function logRequest(c: HttpContext, durationMs: number, calls: Readonly<Record<string, MeteredCalls>>): void {
  const caller = c.get("caller");
  const route = routePath(c, -1);
  const isKnown = c.get("errorCode") !== "route_not_found";
  const desktopMs = calls.desktop?.ms;
  const waitedMs = (desktopMs ?? 0) + (calls.waiting?.ms ?? 0);
  c.var.logger.info("request", {
    method: c.req.method,
    ...(isKnown ? { route, ...validParametersOf(c) } : {}),
    status: c.res.status,
    duration_ms: durationMs,
    service_ms: Math.max(0, durationMs - waitedMs),
    ...(desktopMs === undefined ? {} : { desktop_ms: desktopMs }),
    outcome: outcomeOf(c.res.status, c.get("errorCode")),
    calls,
    ...(c.get("errorCode") === undefined ? {} : { error_code: c.get("errorCode") }),
    ...(caller === undefined
      ? {}
      : { organization_id: caller.organizationId, principal: caller.principal, caller: caller.kind }),
  });
}

/** A text that is no id is not logged under an id's name. */
function validParametersOf(c: HttpContext): Readonly<Record<string, string>> {
  const refused = new Set(c.get("problems")?.map(({ loc: [part, name] }) => part === "path" && name));
  return Object.fromEntries(Object.entries(c.req.param()).filter(([name]) => !refused.has(name)));
}

/** The 5xx codes of failures of the desktop or its network. */
const desktopFailures: ReadonlySet<string> = new Set<ErrorCode>([
  "driver_failed",
  "driver_rejected",
  "driver_connection_lost",
  "driver_timeout",
  "outcome_unknown",
]);

function outcomeOf(status: number, errorCode = ""): RequestOutcome {
  if (status < 400) return "ok";
  if (status < 500) return "refused";
  return desktopFailures.has(errorCode) ? "desktop_failed" : "failed";
}
