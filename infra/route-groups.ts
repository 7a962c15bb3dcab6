import { createComputerApp } from "../functions/computer/app.ts";
import { createConnectionsApp } from "../functions/connections/app.ts";
import { createDocsApp } from "../functions/docs/app.ts";
import { createDriverApp } from "../functions/driver/app.ts";
import { createHealthApp } from "../functions/health/app.ts";
import { createMachinesApp } from "../functions/machines/app.ts";
import { createProviderCredentialsApp } from "../functions/provider-credentials/app.ts";
import { createPoolsApp } from "../functions/pools/app.ts";
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
} as const satisfies Record<string, readonly Route[]>;

export type RouteGroups = { readonly [name in keyof typeof routeGroups]: readonly Route[] };
