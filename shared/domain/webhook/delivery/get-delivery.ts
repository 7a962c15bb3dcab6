import { type Caller, requireScope } from "../../access/caller.ts";
import { requireEndpoint } from "../read-webhook-endpoints.ts";
import type { WebhookEndpointStore } from "../webhook-endpoint-store.ts";
import type { Delivery } from "./delivery.ts";
import type { DeliveryStore } from "./delivery-store.ts";
import { deliveryNotFound } from "./list-deliveries.ts";

/**
 * Reads what is sent as well, for receivers that cannot be reached.
 *
 * @throws {DomainError} `forbidden` or `not_found`
 */
export async function getDelivery(
  deps: {
    readonly webhookEndpoints: Pick<WebhookEndpointStore, "find">;
    readonly deliveries: Pick<DeliveryStore, "find" | "findBody">;
  },
  caller: Caller,
  { id, endpointId }: { readonly id: string; readonly endpointId: string },
): Promise<{ readonly delivery: Delivery; readonly body: string | undefined }> {
  requireScope(caller, "read");
  const endpoint = await requireEndpoint(deps, caller, endpointId);
  const delivery = await deps.deliveries.find(caller.organizationId, id);
  if (delivery?.endpointId !== endpoint.id) throw deliveryNotFound(id);
  return { delivery, body: await deps.deliveries.findBody(caller.organizationId, delivery.eventId) };
}
