import type { WebhookEventType } from "../../../vocabulary/events.ts";
import type { OrganizationId } from "../../organization-id.ts";
import type { WebhookEndpoint } from "../webhook-endpoint.ts";
import type { Delivery, DeliveryJob } from "./delivery.ts";
import type { DeliveryStore } from "./delivery-store.ts";
import { type QueueSendDeps, startOrWait } from "./queue-send.ts";
import { sendOf } from "./sends.ts";

export interface WebhookEvent {
  readonly id: string;
  readonly organizationId: OrganizationId;
  readonly type: WebhookEventType;
  readonly occurredAt: string;
  readonly body: string;
}

export interface QueueDeliveryDeps extends QueueSendDeps {
  readonly deliveries: Pick<DeliveryStore, "putMessage" | "create">;
  /** Returns a UUID of version 7 of that time, the same for the same text. */
  readonly deriveUuid7: (atMs: number, text: string) => string;
}

/** Idempotent: the ids derive from the event, and an attempt that is begun is not begun again. */
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
  const jobs = deliveries.map(firstAttempt);
  const [places] = await Promise.all([
    Promise.all(jobs.map(async (job) => ({ job, taken: await deps.sends.take(sendOf(job), "new") }))),
    deps.deliveries.putMessage({ organizationId, eventId, body, createdAt }),
    ...deliveries.map(async (delivery) => await deps.deliveries.create(delivery)),
  ]);
  await Promise.all(places.map(async ({ job, taken }) => await startOrWait(deps, job, taken)));
}

export function firstAttempt({ organizationId, endpointId, id, eventId, round }: Delivery): DeliveryJob {
  return { organizationId, endpointId, deliveryId: id, eventId, round, number: 1 };
}
