import { v7 } from "uuid";
import type { Delivery } from "../../../shared/domain/webhook/delivery/delivery.ts";
import { notFailing, type WebhookEndpoint } from "../../../shared/domain/webhook/webhook-endpoint.ts";
import { secretName } from "../../../shared/secrets/secret-name.ts";
import { anOrganization, timestampOf } from "./entities.ts";

export function aWebhookEndpoint(fields: Partial<WebhookEndpoint> = {}): WebhookEndpoint {
  const id = fields.id ?? v7();
  const createdAt = fields.createdAt ?? timestampOf(id);
  const organizationId = fields.organizationId ?? anOrganization();
  return {
    id,
    organizationId,
    url: "https://hooks.example.com/das",
    description: "",
    eventTypes: [],
    isEnabled: true,
    secretName: secretName("test", organizationId, { kind: "webhook", id }, v7()),
    previousSecretUntil: null,
    ...notFailing,
    createdAt,
    updatedAt: createdAt,
    revision: 1,
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
