import type { Hono } from "hono";
import { authenticate } from "../../shared/http/access/authenticate.ts";
import { createHttpApp } from "../../shared/http/create-http-app.ts";
import type { HttpEnv } from "../../shared/http/http-env.ts";
import { limitRate } from "../../shared/http/access/limit-rate.ts";
import { addTagGroupRoutes } from "./group-routes.ts";
import { addTagRoutes } from "./tag-routes.ts";
import type { WorkflowTagsDeps } from "./workflow-tags-deps.ts";

export function createWorkflowTagsApp(deps: WorkflowTagsDeps): Hono<HttpEnv> {
  const app = createHttpApp(deps);
  app.use(authenticate(deps), limitRate(deps));
  addTagRoutes(app, deps);
  addTagGroupRoutes(app, deps);
  return app;
}
