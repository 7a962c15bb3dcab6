import type { DeliveryStatus } from "../../../vocabulary/events.ts";
import { type Clock, isoTimestamp } from "../../clock.ts";
import type { SecretStore } from "../../secret-store.ts";
import { secretsInUse } from "../signing-secrets.ts";
import type { WebhookEndpoint } from "../webhook-endpoint.ts";
import type { WebhookEndpointStore } from "../webhook-endpoint-store.ts";
import { type Delivery, type DeliveryJob, retryAfterSeconds, roundMsMax } from "./delivery.ts";
import type { DeliveryStore } from "./delivery-store.ts";
import { type EndSendDeps, endSend } from "./queue-send.ts";
import { attemptMs, type SendStore, sendOf } from "./sends.ts";
import { isSuccess, type WebhookSender } from "./webhook-sender.ts";

export interface AttemptDeps extends EndSendDeps {
  readonly deliveries: Pick<DeliveryStore, "begin" | "findBody" | "note">;
  readonly sends: EndSendDeps["sends"] & Pick<SendStore, "load">;
  readonly webhookEndpoints: Pick<WebhookEndpointStore, "noteFailure" | "noteSuccess" | "switchOff">;
  readonly secrets: Pick<SecretStore, "read">;
  readonly webhookSender: Pick<WebhookSender, "send">;
  readonly clock: Pick<Clock, "now">;
}

/** The state of a delivery, which the engine records, so it names nothing. */
export type Attempted =
  | { readonly kind: "over"; readonly status: DeliveryStatus }
  | { readonly kind: "again"; readonly waitSeconds: number }
  /** The attempt was to begin after the lease of its place, and all places were taken. */
  | { readonly kind: "late"; readonly waitSeconds: number }
  /** Another start carries the attempt out. */
  | { readonly kind: "elsewhere"; readonly waitSeconds: number };

/** An endpoint that timed out this many times in a row is tried once a minute. */
const timeoutsMax = 3;

const turnMs = 60_000;

const lateSeconds = 60;

/** An endpoint that has failed for this long is switched off. */
const failingMsMax = 5 * 24 * 3_600 * 1_000;

/**
 * An interrupted attempt is repeated, so the event may arrive twice, under the same id.
 *
 * @param startId is the same for each repetition of one start, and another one for another start.
 */
export async function attemptDelivery(
  deps: AttemptDeps,
  job: DeliveryJob,
  startId: string,
): Promise<Attempted> {
  const place = sendOf(job);
  const loading = deps.sends.load(place);
  // The secrets are read while the attempt is recorded. Whether that fails matters only if it is sent.
  const secrets = loading.then(({ endpoint }) => (endpoint ? secretsInUse(deps, endpoint) : []));
  secrets.catch(() => {});
  const [begun, body, { endpoint, leaseUntilMs }] = await Promise.all([
    deps.deliveries.begin(job, startId),
    deps.deliveries.findBody(job.organizationId, job.eventId),
    loading,
  ]);
  const nowMs = deps.clock.now();
  const secondsUntil = (atMs: number) => Math.max(1, Math.ceil((atMs - nowMs) / 1_000));
  if (begun.kind === "elsewhere") return { kind: "elsewhere", waitSeconds: secondsUntil(begun.untilMs) };
  if (begun.kind !== "begun") {
    // A place that was taken for a start in vain is given back.
    if (leaseUntilMs > 0) await endSend(deps, place);
    return begun.kind === "over"
      ? begun
      : { kind: "again", waitSeconds: secondsUntil(Date.parse(begun.nextAttemptAt)) };
  }
  const { delivery } = begun;
  if (leaseUntilMs < nowMs + attemptMs) {
    const { kind } = await deps.sends.take(place, "late");
    if (kind === "full") return { kind: "late", waitSeconds: lateSeconds };
  }
  let pausedUntilMs: number | null | undefined;
  try {
    const end = async (status: DeliveryStatus): Promise<Attempted> => {
      await deps.deliveries.note(delivery, { status, nextAttemptAt: null });
      return { kind: "over", status };
    };
    if (endpoint === undefined || !endpoint.isEnabled) return await end("cancelled");
    if (body === undefined || nowMs > Date.parse(delivery.roundStartedAt) + roundMsMax)
      return await end("failed");
    const { attempted, timeouts } = await send(deps, {
      delivery,
      endpoint,
      body,
      secrets,
      number: job.number,
    });
    pausedUntilMs = timeouts < timeoutsMax ? null : nowMs + turnMs;
    return attempted;
  } finally {
    await endSend(deps, place, pausedUntilMs);
  }
}

async function send(
  deps: AttemptDeps,
  of: {
    readonly delivery: Delivery;
    readonly endpoint: WebhookEndpoint;
    readonly body: string;
    readonly secrets: Promise<readonly string[]>;
    readonly number: number;
  },
): Promise<{ readonly attempted: Attempted; readonly timeouts: number }> {
  const { delivery, endpoint, body, number } = of;
  const attemptedAt = isoTimestamp(deps.clock.now());
  const secrets = await of.secrets;
  const { responseBody: _, ...outcome } = await deps.webhookSender.send({
    url: endpoint.url,
    id: delivery.eventId,
    body,
    secrets,
    keptBytes: 0,
  });
  const attempt = { attemptedAt, ...outcome };
  logAttempt(deps, of, attempt);
  if (isSuccess(outcome)) {
    await deps.deliveries.note(delivery, { status: "delivered", nextAttemptAt: null, attempt });
    await deps.webhookEndpoints.noteSuccess(endpoint);
    return { attempted: { kind: "over", status: "delivered" }, timeouts: 0 };
  }
  const waitSeconds = retryAfterSeconds[number - 1];
  const isLast = waitSeconds === undefined || outcome.statusCode === 410;
  const nextAttemptAt = isLast ? null : isoTimestamp(deps.clock.now() + waitSeconds * 1_000);
  await deps.deliveries.note(delivery, { status: isLast ? "failed" : "pending", nextAttemptAt, attempt });
  const timeouts = await noteFailure(deps, endpoint, attempt);
  return {
    attempted: isLast ? { kind: "over", status: "failed" } : { kind: "again", waitSeconds },
    timeouts,
  };
}

/** Returns the number of attempts that timed out in a row. */
async function noteFailure(
  { webhookEndpoints }: AttemptDeps,
  endpoint: WebhookEndpoint,
  { attemptedAt: at, error, statusCode }: Delivery["attempts"][number],
): Promise<number> {
  if (statusCode === 410) {
    await webhookEndpoints.switchOff(endpoint, "gone");
    return 0;
  }
  const after = await webhookEndpoints.noteFailure(endpoint, { at, isTimeout: error === "timeout" });
  const sinceMs = Date.parse(after?.failingSince ?? at);
  if (Date.parse(at) - sinceMs >= failingMsMax) await webhookEndpoints.switchOff(endpoint, "failing");
  return after?.timeouts ?? 0;
}

function logAttempt(
  { logger }: AttemptDeps,
  { delivery, number }: { readonly delivery: Delivery; readonly number: number },
  { attemptedAt, statusCode, error, durationMs }: Delivery["attempts"][number],
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
    ...(number === 1 && { webhook_late_ms: Date.parse(attemptedAt) - Date.parse(delivery.roundStartedAt) }),
  });
}
