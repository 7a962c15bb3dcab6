import { type Caller, requireScope } from "../../access/caller.ts";
import { DomainError } from "../../errors.ts";
import type { Page, PageRequest } from "../../page.ts";
import { requireEndpoint } from "../read-webhook-endpoints.ts";
import type { WebhookEndpointStore } from "../webhook-endpoint-store.ts";
import type { Delivery } from "./delivery.ts";
import type { DeliveryStore } from "./delivery-store.ts";

export function deliveryNotFound(id: string): DomainError {
  return new DomainError("not_found", `there is no delivery ${id}; deliveries are kept for 30 days`);
}

export async function listDeliveries(
  deps: {
    readonly webhookEndpoints: Pick<WebhookEndpointStore, "find">;
    readonly deliveries: Pick<DeliveryStore, "list">;
  },
  caller: Caller,
  { endpointId, ...page }: PageRequest & { readonly endpointId: string },
): Promise<Page<Delivery>> {
  requireScope(caller, "read");
  const { id } = await requireEndpoint(deps, caller, endpointId);
  return await deps.deliveries.list(caller.organizationId, id, page);
}
