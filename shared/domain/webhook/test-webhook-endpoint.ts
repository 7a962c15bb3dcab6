import { type Caller, requireScope } from "../access/caller.ts";
import { isoTimestamp } from "../clock.ts";
import { DomainError } from "../errors.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import { type EndSendDeps, endSend } from "./delivery/queue-send.ts";
import { isSuccess, type SendOutcome } from "./delivery/webhook-sender.ts";
import { requireEndpoint } from "./read-webhook-endpoints.ts";
import { secretsInUse } from "./signing-secrets.ts";
import type { WebhookDeps } from "./webhook-deps.ts";

export interface TestedEndpoint extends SendOutcome {
  readonly eventId: string;
  readonly isDelivered: boolean;
}

const keptBytes = 1_024;

/** Sends `webhook.test` and waits for the response. @throws {DomainError} `not_found` or `organization_busy` */
export async function testWebhookEndpoint(
  deps: Pick<WebhookDeps, "webhookEndpoints" | "webhookSender" | "secrets" | "ids" | "clock"> & EndSendDeps,
  caller: Caller,
  { id }: { readonly id: string },
  idempotency?: Idempotency,
): Promise<TestedEndpoint> {
  requireScope(caller, "write");
  const endpoint = await requireEndpoint(deps, caller, id);
  const eventId = idempotency?.ids[0] ?? deps.ids.uuid7();
  const event = {
    event_id: eventId,
    event_type: "webhook.test",
    occurred_at: isoTimestamp(deps.clock.now()),
    endpoint: { id: endpoint.id },
  };
  const place = { organizationId: caller.organizationId, endpointId: endpoint.id, id: eventId };
  const { kind, sends } = await deps.sends.take(place, "test");
  if (kind === "full") throw allInFlight(sends.countMax);
  try {
    const outcome = await deps.webhookSender.send({
      url: endpoint.url,
      id: eventId,
      body: JSON.stringify(event),
      secrets: await secretsInUse(deps, endpoint),
      keptBytes,
    });
    return { ...outcome, eventId, isDelivered: isSuccess(outcome) };
  } finally {
    await endSend(deps, place);
  }
}

function allInFlight(countMax: number): DomainError {
  return new DomainError(
    "organization_busy",
    `the organization has ${countMax} webhooks in flight, as many as it may; nothing was sent`,
    { retryAfterSeconds: 1 },
  );
}
