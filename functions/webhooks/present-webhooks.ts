import type {
  WebhookDelivery as WireDelivery,
  WebhookEndpoint as WireEndpoint,
  WebhookTestResult as WireTested,
} from "../../shared/contract/webhook/webhook.ts";
import { type Clock, isoTimestamp } from "../../shared/domain/clock.ts";
import type { Delivery } from "../../shared/domain/webhook/delivery/delivery.ts";
import type { TestedEndpoint } from "../../shared/domain/webhook/test-webhook-endpoint.ts";
import type { WebhookEndpoint } from "../../shared/domain/webhook/webhook-endpoint.ts";

export function presentEndpoint(
  { clock }: { readonly clock: Pick<Clock, "now"> },
  endpoint: WebhookEndpoint,
): WireEndpoint {
  const { previousSecretUntil: until } = endpoint;
  const isGood = until !== null && until > isoTimestamp(clock.now());
  return {
    id: endpoint.id,
    organization_id: endpoint.organizationId,
    url: endpoint.url,
    description: endpoint.description,
    event_types: [...endpoint.eventTypes],
    is_enabled: endpoint.isEnabled,
    disabled_reason: endpoint.disabledReason,
    failing_since: endpoint.failingSince,
    previous_secret_expires_at: isGood ? until : null,
    created_at: endpoint.createdAt,
    updated_at: endpoint.updatedAt,
  };
}

export function presentTested(tested: TestedEndpoint): WireTested {
  return {
    event_id: tested.eventId,
    is_delivered: tested.isDelivered,
    status_code: tested.statusCode,
    error: tested.error,
    duration_ms: tested.durationMs,
    response_body: tested.responseBody,
  };
}

export function presentDelivery(delivery: Delivery): WireDelivery {
  return {
    id: delivery.id,
    endpoint_id: delivery.endpointId,
    event_id: delivery.eventId,
    event_type: delivery.eventType,
    status: delivery.status,
    attempts: delivery.attempts.map(({ attemptedAt, statusCode, error, durationMs }) => ({
      attempted_at: attemptedAt,
      status_code: statusCode,
      error,
      duration_ms: durationMs,
    })),
    next_attempt_at: delivery.nextAttemptAt,
    created_at: delivery.createdAt,
  };
}
