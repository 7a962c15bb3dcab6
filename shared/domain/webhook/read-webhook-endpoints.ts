import { type Caller, requireScope } from "../access/caller.ts";
import { required } from "../entity/not-found.ts";
import type { Page, PageRequest } from "../page.ts";
import type { WebhookDeps } from "./webhook-deps.ts";
import type { WebhookEndpoint } from "./webhook-endpoint.ts";
import type { WebhookEndpointStore } from "./webhook-endpoint-store.ts";

export async function listWebhookEndpoints(
  deps: Pick<WebhookDeps, "webhookEndpoints">,
  caller: Caller,
  { skip, limit }: PageRequest,
): Promise<Page<WebhookEndpoint>> {
  requireScope(caller, "read");
  const all = await deps.webhookEndpoints.list(caller.organizationId);
  return { items: all.slice(skip, skip + limit), total: all.length };
}

export async function getWebhookEndpoint(
  deps: FindEndpointDeps,
  caller: Caller,
  { id }: { readonly id: string },
): Promise<WebhookEndpoint> {
  requireScope(caller, "read");
  return await requireEndpoint(deps, caller, id);
}

interface FindEndpointDeps {
  readonly webhookEndpoints: Pick<WebhookEndpointStore, "find">;
}

export async function requireEndpoint(
  { webhookEndpoints }: FindEndpointDeps,
  { organizationId }: Pick<Caller, "organizationId">,
  id: string,
): Promise<WebhookEndpoint> {
  const found = required(await webhookEndpoints.find(organizationId, id), "webhook endpoint", id);
  return found;
}
