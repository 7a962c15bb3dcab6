import { createComputerApp } from "../functions/computer/app.ts";
import { createConnectionsApp } from "../functions/connections/app.ts";
import { createDocsApp } from "../functions/docs/app.ts";
import { createDriverApp } from "../functions/driver/app.ts";
import { createHealthApp } from "../functions/health/app.ts";
import { createMachinesApp } from "../functions/machines/app.ts";
import { createProviderCredentialsApp } from "../functions/provider-credentials/app.ts";
import { createPoolsApp } from "../functions/pools/app.ts";
import { createRunAttachmentsApp } from "../functions/run-attachments/app.ts";
import { createRunsApp } from "../functions/runs/app.ts";
import { createTrajectoriesApp } from "../functions/trajectories/app.ts";
import { createWorkflowTagsApp } from "../functions/workflow-tags/app.ts";
import { createWorkflowsApp } from "../functions/workflows/app.ts";
import { type Route, routesOf } from "./routes.ts";

/** Every HTTP function with the operations of its app: the one list from which API Gateway's routes are made. */
export const routeGroups = {
  health: routesOf(createHealthApp),
  machines: routesOf(createMachinesApp),
  computer: routesOf(createComputerApp),
  driver: routesOf(createDriverApp),
  docs: routesOf(createDocsApp),
  connections: routesOf(createConnectionsApp),
  pools: routesOf(createPoolsApp),
  "provider-credentials": routesOf(createProviderCredentialsApp),
  workflows: routesOf(createWorkflowsApp),
  "workflow-tags": routesOf(createWorkflowTagsApp),
  runs: routesOf(createRunsApp),
  "run-attachments": routesOf(createRunAttachmentsApp),
  trajectories: routesOf(createTrajectoriesApp),
} as const satisfies Record<string, readonly Route[]>;

export type RouteGroups = { readonly [name in keyof typeof routeGroups]: readonly Route[] };
