import { type RouteGroup, routeGroups } from "../../../shared/contract/operations/all-operations.ts";
import type { Operation } from "../../../shared/contract/operations/operation.ts";
import type { RequestFacts } from "../../../shared/http/http-env.ts";
import { mintLiveTicket } from "../../../shared/tunnel/live-ticket-text.ts";
import { scopes } from "../../../shared/vocabulary/access.ts";
import { aConnection, anAuditEvent, aRequestLog } from "../builders/entities.ts";
import { aDelivery, aWebhookEndpoint } from "../builders/webhooks.ts";
import { createResources, type Ids } from "../stack/create-resources.ts";
import { fixedParameters } from "../stack/operations.ts";
import { asking, type TestService } from "./test-service.ts";

interface App {
  readonly routes: readonly { readonly method: string; readonly path: string }[];
  request(path: string, init: RequestInit, facts?: RequestFacts): Response | Promise<Response>;
}

const beside: Partial<Record<RouteGroup, object>> = {
  connections: { sockets: { disconnect: async () => {} }, websocketUrl: "wss://tunnel.test", mintLiveTicket },
  console: {
    files: { find: () => undefined },
    settings: { version: "1.0.0", websocketUrl: "wss://tunnel.test", signIn: null },
  },
  docs: { files: { find: () => undefined } },
  driver: { websocketUrl: "wss://tunnel.test" },
  mcp: { baseUrl: "https://api.test", originHosts: [] },
};

type CreateApp = (deps: TestService["deps"]) => App;

async function appOf(group: RouteGroup): Promise<CreateApp> {
  const [create] = Object.values<CreateApp>(await import(`../../../functions/${group}/app.ts`));
  if (create === undefined) throw new Error(`functions/${group}/app.ts makes no app`);
  return (deps) => create({ ...deps, ...beside[group] });
}

export const queries = { path: "a.txt", from_date: "2026-01-01", to_date: "2026-01-31" };

export const groups = Object.entries(routeGroups) as [RouteGroup, readonly Operation[]][];

export const apps = Object.fromEntries(
  await Promise.all(groups.map(async ([group]) => [group, await appOf(group)])),
) as Readonly<Record<RouteGroup, CreateApp>>;

/** Creates one of every resource that a path can name, in the service's organization. */
export async function putResources(service: TestService): Promise<Ids & Readonly<Record<string, string>>> {
  const { organizationId, stores, deps } = service;
  const machine = await stores.put.machine({ organizationId });
  const connection = aConnection(machine);
  await stores.connections.open(connection);
  const endpoint = aWebhookEndpoint({ organizationId });
  const delivery = aDelivery(endpoint);
  await stores.webhookEndpoints.create(endpoint);
  await stores.deliveries.create(delivery);
  await stores.secrets.create(endpoint.secretName, { secret: stores.mintSigningSecret() });
  const createdAt = new Date(stores.clock.now()).toISOString();
  const event = anAuditEvent({ organizationId, createdAt });
  const line = aRequestLog({ organizationId, machineId: machine.id, createdAt });
  await stores.auditLog.append([event]);
  await stores.requestLog.append([line]);
  const recording = await stores.put.recording({ organizationId });
  const authorization = service.authorize({ scopes: [...scopes] });
  const groupOf = (id: string) =>
    groups.find(([, operations]) => operations.some((one) => one.id === id))?.[0];
  const ids = await createResources(
    async ({ id, path }, body) => {
      const { status, json, text } = await asking(apps[groupOf(id) ?? "docs"](deps), authorization)(
        "POST",
        path,
        body,
      );
      if (status !== 201) throw new Error(`${path}: ${text}`);
      return json;
    },
    {
      machine_id: machine.id,
      connection_id: connection.id,
      endpoint_id: endpoint.id,
      delivery_id: delivery.id,
      audit_event_id: event.id,
      request_log_id: line.id,
      recording_id: recording.id,
    },
  );
  return { ...ids, ...fixedParameters };
}
