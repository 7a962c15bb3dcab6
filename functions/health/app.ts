import type { Hono } from "hono";
import type { DatabaseHealth, Health } from "../../shared/contract/health.ts";
import { type CheckDatabaseDeps, checkDatabase } from "../../shared/domain/health/check-database.ts";
import { type ProbeMachinesDeps, probeMachines } from "../../shared/domain/health/probe-machines.ts";
import type { Asker, DriverChannel } from "../../shared/domain/tunnel/driver-channel.ts";
import { authenticate } from "../../shared/http/access/authenticate.ts";
import { createHttpApp } from "../../shared/http/create-http-app.ts";
import { statusOf } from "../../shared/http/errors/error-statuses.ts";
import type { AccessDeps, AppDeps, RateLimitDeps } from "../../shared/http/http-deps.ts";
import type { HttpEnv } from "../../shared/http/http-env.ts";
import { limitRate } from "../../shared/http/access/limit-rate.ts";
import { readRequest } from "../../shared/http/request/read-request.ts";
import { presentReport } from "./present-health.ts";

export type HealthDeps = AppDeps &
  AccessDeps &
  RateLimitDeps &
  Omit<CheckDatabaseDeps, "logger"> &
  Pick<ProbeMachinesDeps, "machines" | "connections"> & {
    readonly version: string;
    /** A channel a request: its mailbox is its own. */
    readonly openChannel: (asker: Asker) => DriverChannel;
  };

/** Also what API Gateway's `$default` route leads to: it answers every unknown route. */
export function createHealthApp(deps: HealthDeps): Hono<HttpEnv> {
  const app = createHttpApp(deps);

  app.get("/v1/health", (c) => {
    const body: Health = { status: "ok", version: deps.version };
    return c.json(body);
  });

  app.get("/v1/health/db", async (c) => {
    const { probeDatabase, clock } = deps;
    const state = await checkDatabase({ probeDatabase, clock, logger: c.var.logger });
    const body: DatabaseHealth =
      state.kind === "ok" ? { status: "ok", latency_ms: state.latencyMs } : { status: "error" };
    return c.json(body, state.kind === "ok" ? 200 : 503);
  });

  app.use("/health/machines", authenticate(deps), limitRate(deps));
  app.get("/health/machines", async (c) => {
    await readRequest(c, {});
    const { machines, connections, clock, ids } = deps;
    const probing = { machines, connections, channel: deps.openChannel(c.var), clock, ids, statusOf };
    return c.json(presentReport(await probeMachines(probing, c.var.caller)));
  });

  return app;
}
