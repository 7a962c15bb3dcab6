import { type Caller, requireScope } from "../../access/caller.ts";
import { DomainError } from "../../errors.ts";
import { requireEndpoint } from "../read-webhook-endpoints.ts";
import type { WebhookEndpointStore } from "../webhook-endpoint-store.ts";
import type { Delivery } from "./delivery.ts";
import type { DeliveryStore } from "./delivery-store.ts";
import { deliveryNotFound } from "./list-deliveries.ts";
import { firstAttempt } from "./queue-delivery.ts";
import { type QueueSendDeps, queueSend } from "./queue-send.ts";

/**
 * A redelivery of a round that was never started begins the next one.
 *
 * @throws {DomainError} `not_found` or `conflict`
 */
export async function redeliver(
  deps: QueueSendDeps & {
    readonly webhookEndpoints: Pick<WebhookEndpointStore, "find">;
    readonly deliveries: Pick<DeliveryStore, "find" | "beginRound">;
  },
  caller: Caller,
  { id, endpointId }: { readonly id: string; readonly endpointId: string },
): Promise<Delivery> {
  requireScope(caller, "write");
  const { organizationId } = caller;
  const endpoint = await requireEndpoint(deps, caller, endpointId);
  const found = await deps.deliveries.find(organizationId, id);
  if (found?.endpointId !== endpoint.id) throw deliveryNotFound(id);
  if (!endpoint.isEnabled) {
    throw new DomainError(
      "conflict",
      `the webhook endpoint ${endpoint.id} is switched off; switch it on first`,
    );
  }
  const begun = await deps.deliveries.beginRound(organizationId, id);
  if (begun === undefined) throw deliveryNotFound(id);
  await queueSend(deps, firstAttempt(begun));
  return begun;
}
