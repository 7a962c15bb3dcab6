import { v7 } from "uuid";
import type { Delivery } from "../../../shared/domain/webhook/delivery/delivery.ts";
import { notFailing, type WebhookEndpoint } from "../../../shared/domain/webhook/webhook-endpoint.ts";
import { secretName } from "../../../shared/secrets/secret-name.ts";
import { newEntity, timestampOf } from "./entities.ts";

export function aWebhookEndpoint(fields: Partial<WebhookEndpoint> = {}): WebhookEndpoint {
  const entity = newEntity(fields);
  const { id } = entity;
  const organizationId = fields.organizationId ?? entity.organizationId;
  return {
    ...entity,
    organizationId,
    url: "https://hooks.example.com/das",
    description: "",
    eventTypes: [],
    isEnabled: true,
    secretName: secretName("test", organizationId, { kind: "webhook", id }, v7()),
    previousSecretUntil: null,
    ...notFailing,
    ...fields,
  };
}

export function aDelivery(
  { id: endpointId, organizationId }: WebhookEndpoint,
  fields: Partial<Delivery> = {},
): Delivery {
  const id = fields.id ?? v7();
  const createdAt = fields.createdAt ?? timestampOf(id);
  return {
    id,
    endpointId,
    organizationId,
    eventId: v7(),
    eventType: "run.complete",
    status: "pending",
    attempts: [],
    nextAttemptAt: createdAt,
    round: 1,
    roundStartedAt: createdAt,
    createdAt,
    revision: 1,
    ...fields,
  };
}
