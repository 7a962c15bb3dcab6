import type { Hono } from "hono";
import type { DatabaseHealth, Health } from "../../shared/contract/health.ts";
import { healthOperations } from "../../shared/contract/operations/health-operations.ts";
import { referencePath } from "../../shared/contract/operations/operation.ts";
import { type CheckDatabaseDeps, checkDatabase } from "../../shared/domain/health/check-database.ts";
import { createHttpApp } from "../../shared/http/create-http-app.ts";
import type { AppDeps } from "../../shared/http/http-deps.ts";
import type { HttpEnv } from "../../shared/http/http-env.ts";
import { serveOperations } from "../../shared/http/serve-operations.ts";

export type HealthDeps = AppDeps &
  Omit<CheckDatabaseDeps, "logger"> & {
    readonly version: string;
  };

/** API Gateway's `$default` route leads here, too, with every unknown route. */
export function createHealthApp(deps: HealthDeps): Hono<HttpEnv> {
  const app = createHttpApp(deps);

  serveOperations(app, deps, healthOperations, {
    getHealth: (): Health => ({ status: "ok", version: deps.version }),
    getDatabaseHealth: async ({ c }) => {
      const { probeDatabase, clock } = deps;
      const state = await checkDatabase({ probeDatabase, clock, logger: c.var.logger });
      const body: DatabaseHealth =
        state.kind === "ok" ? { status: "ok", latency_ms: state.latencyMs } : { status: "error" };
      return state.kind === "ok" ? body : c.json(body, 503);
    },
  });
  // A person who opens the service's address in a browser; programs get the refusal of any unknown route.
  app.use("/", async (c, next) => {
    const isBrowser = c.req.method === "GET" && (c.req.header("accept") ?? "").includes("text/html");
    return isBrowser ? c.redirect(referencePath, 307) : await next();
  });
  return app;
}
