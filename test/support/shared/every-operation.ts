import { v7 } from "uuid";
import { type RouteGroup, routeGroups } from "../../../shared/contract/operations/all-operations.ts";
import type { Operation } from "../../../shared/contract/operations/operation.ts";
import { ownKeyIdOf, uuidOfKeyId } from "../../../shared/domain/access/api-key.ts";
import type { RequestFacts } from "../../../shared/http/http-env.ts";
import { aConnection, anApiKey, anAttachment, anAuditEvent, aRequestLog } from "../builders/entities.ts";
import { aDelivery, aWebhookEndpoint } from "../builders/webhooks.ts";
import { aModelConfiguration, aPromptImage, aTag, aTagGroup } from "../builders/workflows.ts";
import type { TestService } from "./test-service.ts";

interface App {
  readonly routes: readonly { readonly method: string; readonly path: string }[];
  request(path: string, init: RequestInit, facts?: RequestFacts): Response | Promise<Response>;
}

/** What an app needs beside what all do. */
const beside: Partial<Record<RouteGroup, object>> = {
  connections: { sockets: { disconnect: async () => {} } },
  docs: { files: { find: () => undefined } },
  driver: { websocketUrl: "wss://tunnel.test" },
};

type CreateApp = (deps: TestService["deps"]) => App;

/** The one function of a group's `app.ts`. */
async function appOf(group: RouteGroup): Promise<CreateApp> {
  const [create] = Object.values<CreateApp>(await import(`../../../functions/${group}/app.ts`));
  if (create === undefined) throw new Error(`functions/${group}/app.ts makes no app`);
  return (deps) => create({ ...deps, ...beside[group] });
}

/** Query parameters that some operations require. */
export const queries = { path: "a.txt", from_date: "2026-01-01", to_date: "2026-01-31" };

export const groups = Object.entries(routeGroups) as [RouteGroup, readonly Operation[]][];

export const apps = Object.fromEntries(
  await Promise.all(groups.map(async ([group]) => [group, await appOf(group)])),
) as Readonly<Record<RouteGroup, CreateApp>>;

/** Creates one of every resource that a path can name, in the service's organization. */
export async function putResources({ organizationId, stores }: TestService): Promise<Record<string, string>> {
  const machine = await stores.put.machine({ organizationId });
  const pool = await stores.put.pool({ organizationId });
  const workflow = await stores.put.workflow({ organizationId });
  const run = await stores.put.run({ organizationId, workflowId: workflow.id });
  const trajectory = await stores.put.trajectory({ organizationId, workflowId: workflow.id });
  const connection = aConnection(machine);
  const attachment = anAttachment({ organizationId, runId: run.id });
  const tag = aTag({ organizationId });
  const group = aTagGroup({ organizationId });
  const configuration = aModelConfiguration({ organizationId });
  await stores.connections.open(connection);
  await stores.attachments.create(attachment);
  await stores.tags.createTag(tag);
  await stores.tags.createGroup(group);
  await stores.modelConfigurations.create(configuration);
  const apiKey = anApiKey({ organizationId, id: ownKeyIdOf(v7()) });
  await stores.apiKeys.create(apiKey);
  const image = aPromptImage({ organizationId });
  await stores.promptImages.create(image);
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
  return {
    machine_id: machine.id,
    pool_id: pool.id,
    run_id: run.id,
    workflow_id: workflow.id,
    connection_id: connection.id,
    attachment_id: attachment.id,
    trajectory_id: trajectory.id,
    audit_event_id: event.id,
    request_log_id: line.id,
    tag_id: tag.id,
    group_id: group.id,
    model_configuration_id: configuration.id,
    api_key_id: uuidOfKeyId(apiKey.id),
    image_id: image.id,
    endpoint_id: endpoint.id,
    delivery_id: delivery.id,
    slot: "openai",
    index: "1",
  };
}
