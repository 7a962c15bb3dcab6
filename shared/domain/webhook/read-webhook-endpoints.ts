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

export async function requireEndpoint(
  { webhookEndpoints }: { readonly webhookEndpoints: Pick<WebhookEndpointStore, "find"> },
  { organizationId }: Pick<Caller, "organizationId">,
  id: string,
): Promise<WebhookEndpoint> {
  return required(await webhookEndpoints.find(organizationId, id), "webhook endpoint", id);
}
