import type { DeliveryStatus } from "../../../vocabulary/events.ts";
import { type Clock, isoTimestamp } from "../../clock.ts";
import type { Logger } from "../../logger.ts";
import type { SecretStore } from "../../secret-store.ts";
import { secretsInUse } from "../signing-secrets.ts";
import type { WebhookEndpoint } from "../webhook-endpoint.ts";
import { turnMs, type WebhookEndpointStore } from "../webhook-endpoint-store.ts";
import { type Delivery, type DeliveryJob, retryAfterSeconds, roundMsMax } from "./delivery.ts";
import type { DeliveryStore } from "./delivery-store.ts";
import { isSuccess, type SendOutcome, sendTimeoutMs, type WebhookSender } from "./webhook-sender.ts";

export interface AttemptDeps {
  readonly deliveries: Pick<DeliveryStore, "load" | "note">;
  readonly webhookEndpoints: Pick<
    WebhookEndpointStore,
    "findWithSlots" | "takeSlot" | "giveBackSlot" | "takeTurn" | "noteFailure" | "noteSuccess" | "switchOff"
  >;
  readonly secrets: Pick<SecretStore, "read">;
  readonly webhookSender: Pick<WebhookSender, "send">;
  readonly clock: Pick<Clock, "now">;
  readonly random: () => number;
  readonly logger: Logger;
}

/** The state of a delivery, which the engine records, so it names nothing. */
export type Attempted =
  | { readonly kind: "over"; readonly status: DeliveryStatus }
  | { readonly kind: "again"; readonly waitSeconds: number }
  /** The attempt was too early. */
  | { readonly kind: "later"; readonly waitSeconds: number };

/** An endpoint that timed out this many times in a row is tried once a minute. */
const timeoutsMax = 3;

/** An endpoint that has failed for this long is switched off. */
const failingMsMax = 5 * 24 * 3_600 * 1_000;

const laterSecondsMax = 600;

/** An interrupted attempt is repeated, so the event may arrive twice, under the same id. @param number counts from 1 */
export async function attemptDelivery(
  deps: AttemptDeps,
  job: DeliveryJob,
  { number, deferrals }: { readonly number: number; readonly deferrals: number },
): Promise<Attempted> {
  const [{ delivery, body }, found] = await Promise.all([
    deps.deliveries.load(job),
    deps.webhookEndpoints.findWithSlots(job.organizationId, job.endpointId),
  ]);
  if (delivery === undefined) return { kind: "over", status: "cancelled" };
  if (delivery.status !== "pending" || delivery.round !== job.round) {
    return { kind: "over", status: delivery.status };
  }
  const end = async (status: DeliveryStatus): Promise<Attempted> => {
    await deps.deliveries.note(delivery, { status, nextAttemptAt: null });
    return { kind: "over", status };
  };
  if (found === undefined || !found.endpoint.isEnabled) return await end("cancelled");
  const { endpoint } = found;
  const nowMs = deps.clock.now();
  if (body === undefined || nowMs > Date.parse(delivery.roundStartedAt) + roundMsMax)
    return await end("failed");

  const later = async (untilMs: number): Promise<Attempted> => {
    const spread = Math.ceil(deps.random() * 2 ** Math.min(deferrals, 9));
    const waitSeconds = Math.min(laterSecondsMax, Math.max(1, Math.ceil((untilMs - nowMs) / 1_000)) + spread);
    const nextAttemptAt = isoTimestamp(nowMs + waitSeconds * 1_000);
    await deps.deliveries.note(delivery, { status: "pending", nextAttemptAt });
    return { kind: "later", waitSeconds };
  };
  if (endpoint.timeouts >= timeoutsMax && !(await deps.webhookEndpoints.takeTurn(endpoint))) {
    return await later(endpoint.nextTryAtMs ?? nowMs + turnMs);
  }
  const slot = await deps.webhookEndpoints.takeSlot(found, delivery.id);
  // An endpoint that hangs gives back no slot sooner.
  if (slot === undefined) return await later(endpoint.timeouts > 0 ? nowMs + sendTimeoutMs : nowMs);
  try {
    return await send(deps, { delivery, endpoint, body, number });
  } finally {
    await deps.webhookEndpoints.giveBackSlot(slot);
  }
}

async function send(
  deps: AttemptDeps,
  of: {
    readonly delivery: Delivery;
    readonly endpoint: WebhookEndpoint;
    readonly body: string;
    readonly number: number;
  },
): Promise<Attempted> {
  const { delivery, endpoint, body, number } = of;
  const attemptedAt = isoTimestamp(deps.clock.now());
  const secrets = await secretsInUse(deps, endpoint);
  const { responseBody: _, ...outcome } = await deps.webhookSender.send({
    url: endpoint.url,
    id: delivery.eventId,
    body,
    secrets,
    keptBytes: 0,
  });
  const attempt = { attemptedAt, ...outcome };
  logAttempt(deps, of, outcome);
  if (isSuccess(outcome)) {
    await deps.deliveries.note(delivery, { status: "delivered", nextAttemptAt: null, attempt });
    await deps.webhookEndpoints.noteSuccess(endpoint);
    return { kind: "over", status: "delivered" };
  }
  const waitSeconds = retryAfterSeconds[number - 1];
  const isLast = waitSeconds === undefined || outcome.statusCode === 410;
  const nextAttemptAt = isLast ? null : isoTimestamp(deps.clock.now() + waitSeconds * 1_000);
  await deps.deliveries.note(delivery, { status: isLast ? "failed" : "pending", nextAttemptAt, attempt });
  await noteFailure(deps, endpoint, attempt);
  return isLast ? { kind: "over", status: "failed" } : { kind: "again", waitSeconds };
}

async function noteFailure(
  { webhookEndpoints }: AttemptDeps,
  endpoint: WebhookEndpoint,
  { attemptedAt: at, error, statusCode }: Delivery["attempts"][number],
): Promise<void> {
  if (statusCode === 410) return await webhookEndpoints.switchOff(endpoint, "gone");
  const after = await webhookEndpoints.noteFailure(endpoint, { at, isTimeout: error === "timeout" });
  const sinceMs = Date.parse(after?.failingSince ?? at);
  if (Date.parse(at) - sinceMs >= failingMsMax) await webhookEndpoints.switchOff(endpoint, "failing");
}

function logAttempt(
  { logger }: AttemptDeps,
  { delivery, number }: { readonly delivery: Delivery; readonly number: number },
  { statusCode, error, durationMs }: Omit<SendOutcome, "responseBody">,
): void {
  logger.info("a webhook was sent", {
    organization_id: delivery.organizationId,
    endpoint_id: delivery.endpointId,
    delivery_id: delivery.id,
    event_type: delivery.eventType,
    attempt: number,
    status_code: statusCode,
    error_kind: error,
    duration_ms: durationMs,
  });
}
