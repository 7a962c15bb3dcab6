import type { Hono } from "hono";
import { webhookOperations } from "../../shared/contract/operations/webhook-operations.ts";
import { getEntity } from "../../shared/domain/entity/read-entities.ts";
import type { Idempotency } from "../../shared/domain/idempotency/idempotency.ts";
import {
  createWebhookEndpoint,
  type EndpointWithSecret,
} from "../../shared/domain/webhook/create-webhook-endpoint.ts";
import { deleteWebhookEndpoint } from "../../shared/domain/webhook/delete-webhook-endpoint.ts";
import type { DeliveryStore } from "../../shared/domain/webhook/delivery/delivery-store.ts";
import { getDelivery } from "../../shared/domain/webhook/delivery/get-delivery.ts";
import { listDeliveries } from "../../shared/domain/webhook/delivery/list-deliveries.ts";
import type {
  DeliveryStarter,
  EndSendDeps,
  QueueSendDeps,
} from "../../shared/domain/webhook/delivery/queue-send.ts";
import { redeliver } from "../../shared/domain/webhook/delivery/redeliver.ts";
import { listWebhookEndpoints } from "../../shared/domain/webhook/read-webhook-endpoints.ts";
import { rotateWebhookSecret } from "../../shared/domain/webhook/rotate-webhook-secret.ts";
import { revealSecret } from "../../shared/domain/webhook/signing-secrets.ts";
import { testWebhookEndpoint } from "../../shared/domain/webhook/test-webhook-endpoint.ts";
import { updateWebhookEndpoint } from "../../shared/domain/webhook/update-webhook-endpoint.ts";
import type { WebhookDeps } from "../../shared/domain/webhook/webhook-deps.ts";
import type { WebhookEndpoint } from "../../shared/domain/webhook/webhook-endpoint.ts";
import { createCallersApp } from "../../shared/http/create-callers-app.ts";
import type { HttpDeps } from "../../shared/http/http-deps.ts";
import type { HttpEnv } from "../../shared/http/http-env.ts";
import { given, inCamelCase } from "../../shared/http/request/given.ts";
import { presentDelivery, presentEndpoint, presentTested } from "./present-webhooks.ts";

export interface WebhooksAppDeps
  extends HttpDeps,
    Pick<WebhookDeps, "webhookEndpoints" | "webhookSender" | "mintSigningSecret" | "secrets"> {
  readonly deliveries: Pick<DeliveryStore, "find" | "findBody" | "list" | "beginRound">;
  readonly sends: (QueueSendDeps & EndSendDeps)["sends"];
  readonly deliveryStarter: DeliveryStarter;
}

export function createWebhooksApp(deps: WebhooksAppDeps): Hono<HttpEnv> {
  /** Only the endpoint is recorded; a repeat reads its secret again. */
  const presentWithSecret = async (
    idempotent: <Result>(work: (idempotency: Idempotency | undefined) => Promise<Result>) => Promise<Result>,
    work: (idempotency: Idempotency | undefined) => Promise<EndpointWithSecret>,
  ) => {
    let fresh: string | undefined;
    const endpoint = await idempotent<WebhookEndpoint>(async (idempotency) => {
      const made = await work(idempotency);
      fresh = made.secret;
      return made.endpoint;
    });
    return { ...presentEndpoint(deps, endpoint), secret: fresh ?? (await revealSecret(deps, endpoint)) };
  };

  return createCallersApp(deps, webhookOperations, {
    listWebhookEndpoints: async ({ caller, query }) => {
      const { items, total } = await listWebhookEndpoints(deps, caller, query);
      return { items: items.map((endpoint) => presentEndpoint(deps, endpoint)), total, ...query };
    },
    createWebhookEndpoint: async ({ caller, body: { url, ...settings }, idempotent }) => {
      const input = { url, ...given(inCamelCase(settings)) };
      return await presentWithSecret(idempotent, (idempotency) =>
        createWebhookEndpoint(deps, caller, input, idempotency),
      );
    },
    getWebhookEndpoint: async ({ caller, path }) =>
      presentEndpoint(
        deps,
        await getEntity(deps.webhookEndpoints, caller, "webhook endpoint", path.endpoint_id),
      ),
    updateWebhookEndpoint: async ({ path, body, write }) => {
      const input = { ...given(inCamelCase(body)), id: path.endpoint_id };
      return presentEndpoint(deps, await write(updateWebhookEndpoint, input));
    },
    deleteWebhookEndpoint: ({ path, write }) => write(deleteWebhookEndpoint, { id: path.endpoint_id }),
    rotateWebhookSecret: async ({ caller, path, idempotent }) =>
      await presentWithSecret(idempotent, (idempotency) =>
        rotateWebhookSecret(deps, caller, { id: path.endpoint_id }, idempotency),
      ),
    testWebhookEndpoint: async ({ path, write }) =>
      presentTested(await write(testWebhookEndpoint, { id: path.endpoint_id })),
    listWebhookDeliveries: async ({ caller, path, query }) => {
      const of = { endpointId: path.endpoint_id, ...query };
      const { items, total } = await listDeliveries(deps, caller, of);
      return { items: items.map(presentDelivery), total, ...query };
    },
    getWebhookDelivery: async ({ caller, path }) => {
      const of = { id: path.delivery_id, endpointId: path.endpoint_id };
      const { delivery, body } = await getDelivery(deps, caller, of);
      return { ...presentDelivery(delivery), body: body ?? null };
    },
    redeliverWebhookDelivery: async ({ caller, path, idempotent }) => {
      const input = { id: path.delivery_id, endpointId: path.endpoint_id };
      return presentDelivery(await idempotent(() => redeliver(deps, caller, input)));
    },
  });
}
