import type { WebhookEventType } from "../../../vocabulary/events.ts";
import type { ExecutionStarter } from "../../durable/durable.ts";
import type { OrganizationId } from "../../organization-id.ts";
import type { WebhookEndpoint } from "../webhook-endpoint.ts";
import { type Delivery, deliveryName, deliveryPayload } from "./delivery.ts";
import type { DeliveryStore } from "./delivery-store.ts";

export interface WebhookEvent {
  readonly id: string;
  readonly organizationId: OrganizationId;
  readonly type: WebhookEventType;
  readonly occurredAt: string;
  readonly body: string;
}

export interface QueueDeliveryDeps {
  readonly deliveries: Pick<DeliveryStore, "putMessage" | "create">;
  readonly deliveryStarter: ExecutionStarter;
  /** Returns a UUID of version 7 of that time, the same for the same text. */
  readonly deriveUuid7: (atMs: number, text: string) => string;
}

/** Idempotent: the ids derive from the event, and an execution of a name is started once. */
export async function queueDelivery(
  deps: QueueDeliveryDeps,
  event: WebhookEvent,
  endpoints: readonly WebhookEndpoint[],
): Promise<void> {
  const { id: eventId, organizationId, type: eventType, occurredAt: createdAt, body } = event;
  const deliveries = endpoints.map(
    ({ id: endpointId }): Delivery => ({
      id: deps.deriveUuid7(Date.parse(createdAt), `${eventId} ${endpointId}`),
      organizationId,
      endpointId,
      eventId,
      eventType,
      createdAt,
      status: "pending",
      attempts: [],
      nextAttemptAt: createdAt,
      round: 1,
      roundStartedAt: createdAt,
      revision: 1,
    }),
  );
  await Promise.all([
    deps.deliveries.putMessage({ organizationId, eventId, body, createdAt }),
    ...deliveries.map(async (delivery) => await deps.deliveries.create(delivery)),
  ]);
  await Promise.all(deliveries.map(async (delivery) => await startDelivery(deps, delivery)));
}

export async function startDelivery(
  { deliveryStarter }: Pick<QueueDeliveryDeps, "deliveryStarter">,
  { organizationId, endpointId, id: deliveryId, eventId, round }: Delivery,
): Promise<void> {
  const job = { organizationId, endpointId, deliveryId, eventId, round };
  await deliveryStarter.start(deliveryName(job), deliveryPayload(job));
}
