import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { Webhook } from "standardwebhooks";
import type { CallResponse } from "../../shared/client/call-types.ts";
import { isLoopbackUrl } from "../driver/loopback-url.ts";
import { listenOnLoopback } from "../local/loopback-server.ts";
import type { SmokeDesktop } from "./connect-desktop.ts";
import { findInTime, type Smoke } from "./smoke.ts";
import { SmokeFailure } from "./smoke-failure.ts";

type Delivery = CallResponse<"listWebhookDeliveries">["items"][number];

interface Received {
  readonly body: string;
  readonly headers: Record<string, string>;
}

/**
 * The local stack delivers to a receiver here. A deployed one does to `--webhook-url`; without that, it is asked to
 * deliver to itself, which refuses, and its record of the attempt shows all but the receipt.
 */
export async function receiveWebhook(smoke: Smoke, { machineId }: SmokeDesktop): Promise<string> {
  const { admin, cleanup, name, webhookUrl } = smoke;
  const received: Received[] = [];
  const isReceivedHere = webhookUrl === undefined && isLoopbackUrl(new URL(smoke.url));
  const url = isReceivedHere
    ? await startReceiver(smoke, received)
    : (webhookUrl ?? new URL("/v1/health", smoke.url).href);
  const endpoint = await admin.call("createWebhookEndpoint", {
    body: { url, description: name, event_types: ["machine.unavailable"] },
  });
  const path = { endpoint_id: endpoint.id };
  cleanup.add(`webhook endpoint ${endpoint.id}`, () => admin.call("deleteWebhookEndpoint", { path }));

  const setAvailable = (is_available: boolean) =>
    admin.call("updateMachine", { path: { machine_id: machineId }, body: { is_available } });
  await setAvailable(false);
  let delivery: Delivery | undefined;
  await findInTime(smoke, async () => {
    [delivery] = (await admin.call("listWebhookDeliveries", { path })).items;
    return delivery?.attempts[0];
  });
  await setAvailable(true);
  if (delivery === undefined) {
    throw new SmokeFailure("stream, projector", "a machine's change was written, and no event came of it");
  }
  const [attempt] = delivery.attempts;
  if (attempt === undefined) {
    throw new SmokeFailure("webhook-sender", `delivery ${delivery.id} is on record, and was not attempted`);
  }
  if (isReceivedHere) {
    const [first] = received;
    if (first === undefined) throw new Error(`the attempt ended as ${attempt.error ?? attempt.status_code}`);
    new Webhook(endpoint.secret).verify(first.body, first.headers);
    return "received here, with its signature";
  }
  if (webhookUrl === undefined) {
    return `attempted (${attempt.error ?? attempt.status_code}); receipt not tried: no --webhook-url`;
  }
  if (delivery.status === "delivered") return "received at --webhook-url";
  throw new SmokeFailure("--webhook-url", `it answered ${attempt.error ?? attempt.status_code}`);
}

async function startReceiver({ cleanup }: Smoke, received: Received[]): Promise<string> {
  const server = createServer(async (request, response) => {
    received.push({ body: await text(request), headers: request.headers as Record<string, string> });
    response.writeHead(204).end();
  });
  const { url, stop } = await listenOnLoopback(server, 0);
  cleanup.add("webhook receiver", stop);
  return url;
}
