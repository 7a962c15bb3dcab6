import type { Hono } from "hono";
import type { Operation } from "../contract/operations/operation.ts";
import { authenticate } from "./access/authenticate.ts";
import { limitRate } from "./access/limit-rate.ts";
import { createHttpApp } from "./create-http-app.ts";
import type { AccessDeps, AppDeps, RateLimitDeps } from "./http-deps.ts";
import type { HttpEnv } from "./http-env.ts";
import { type DepsOf, type Handlers, serveOperations } from "./serve-operations.ts";

export function createCallersApp<
  const Operations extends readonly Operation[],
  Deps extends AppDeps & AccessDeps & RateLimitDeps & DepsOf<Operations>,
>(deps: Deps, operations: Operations, handlers: Handlers<Operations, Deps>): Hono<HttpEnv> {
  const app = createHttpApp(deps);
  app.use(authenticate(deps), limitRate(deps));
  serveOperations(app, deps, operations, handlers);
  return app;
}
