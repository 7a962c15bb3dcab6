import type { Hono } from "hono";
import type { DatabaseHealth, Health } from "../../shared/contract/health.ts";
import { healthOperations } from "../../shared/contract/operations/health-operations.ts";
import { type CheckDatabaseDeps, checkDatabase } from "../../shared/domain/health/check-database.ts";
import { type ProbeMachinesDeps, probeMachines } from "../../shared/domain/health/probe-machines.ts";
import type { DriverChannel, Requester } from "../../shared/domain/tunnel/driver-channel.ts";
import { authenticate } from "../../shared/http/access/authenticate.ts";
import { limitRate } from "../../shared/http/access/limit-rate.ts";
import { createHttpApp } from "../../shared/http/create-http-app.ts";
import { statusOf } from "../../shared/http/errors/error-statuses.ts";
import type { AccessDeps, AppDeps, RateLimitDeps } from "../../shared/http/http-deps.ts";
import type { HttpEnv } from "../../shared/http/http-env.ts";
import { serveOperations } from "../../shared/http/serve-operations.ts";
import { presentReport } from "./present-health.ts";

export type HealthDeps = AppDeps &
  AccessDeps &
  RateLimitDeps &
  Omit<CheckDatabaseDeps, "logger"> &
  Pick<ProbeMachinesDeps, "machines" | "connections" | "organizationCallsMax"> & {
    readonly version: string;
    /** One channel per request, each with its own mailbox. */
    readonly openChannel: (requester: Requester) => DriverChannel;
  };

/** Also the target of API Gateway's `$default` route: responds to every unknown route. */
export function createHealthApp(deps: HealthDeps): Hono<HttpEnv> {
  const app = createHttpApp(deps);

  for (const { access, path } of healthOperations) {
    if (access === "bearer") app.use(path, authenticate(deps), limitRate(deps));
  }

  serveOperations(app, deps, healthOperations, {
    getHealth: (): Health => ({ status: "ok", version: deps.version }),
    getDatabaseHealth: async ({ c }) => {
      const { probeDatabase, clock } = deps;
      const state = await checkDatabase({ probeDatabase, clock, logger: c.var.logger });
      const body: DatabaseHealth =
        state.kind === "ok" ? { status: "ok", latency_ms: state.latencyMs } : { status: "error" };
      return state.kind === "ok" ? body : c.json(body, 503);
    },
    probeMachines: async ({ c, caller }) => {
      const { machines, connections, organizationCallsMax, clock, ids } = deps;
      const probing = {
        machines,
        connections,
        organizationCallsMax,
        channel: deps.openChannel(c.var),
        clock,
        ids,
        statusOf,
      };
      return presentReport(await probeMachines(probing, caller));
    },
  });
  return app;
}
