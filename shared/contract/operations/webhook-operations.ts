import { webhookEndpointsMax } from "../../vocabulary/events.ts";
import {
  CreateWebhookEndpointBody,
  UpdateWebhookEndpointBody,
  WebhookDeliveriesQuery,
  WebhookDelivery,
  WebhookDeliveryList,
  WebhookDeliveryWithBody,
  WebhookEndpoint,
  WebhookEndpointList,
  WebhookEndpointWithSecret,
  WebhookTestResult,
} from "../webhook/webhook.ts";
import { defineOperations, deleted, reading, writing } from "./operation.ts";

const path = "/v1/webhook-endpoints";
const one = `${path}/{endpoint_id}`;
const secretGone = "`conflict`: the secret that the first request under this key made was replaced since";

export const webhookOperations = defineOperations("Webhooks", [
  {
    ...reading,
    id: "listWebhookEndpoints",
    path,
    summary: "Lists the addresses that events are sent to",
    query: WebhookDeliveriesQuery,
    responses: { 200: { description: "The endpoints, newest first.", schema: WebhookEndpointList } },
  },
  {
    ...writing("POST"),
    id: "createWebhookEndpoint",
    writes: "webhook_endpoint",
    path,
    summary: "Creates a webhook endpoint",
    description:
      "Events are sent to the endpoint from then on, signed as Standard Webhooks has it (`webhook-id`, `webhook-timestamp`, `webhook-signature`): at least once, in no order. Any 2xx within 15 s is delivered; otherwise it is tried again after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h. Redirects are not followed.",
    body: CreateWebhookEndpointBody,
    example: { url: "https://example.com/hooks", event_types: ["run.complete"] },
    responses: {
      201: {
        description: "The endpoint, and the secret that its events are signed with.",
        schema: WebhookEndpointWithSecret,
      },
    },
    refusals: {
      409: `\`limit_reached\`: the organization has ${webhookEndpointsMax} endpoints; ${secretGone}.`,
    },
  },
  {
    ...reading,
    id: "getWebhookEndpoint",
    path: one,
    summary: "Reads one webhook endpoint",
    responses: { 200: { description: "The endpoint.", schema: WebhookEndpoint } },
  },
  {
    ...writing("PATCH"),
    id: "updateWebhookEndpoint",
    writes: "webhook_endpoint",
    path: one,
    summary: "Updates a webhook endpoint",
    description:
      "Only the fields provided are changed. Another address, or being switched on, makes it count as not failing.",
    body: UpdateWebhookEndpointBody,
    example: { is_enabled: true },
    responses: { 200: { description: "The endpoint.", schema: WebhookEndpoint } },
  },
  {
    ...writing("DELETE"),
    id: "deleteWebhookEndpoint",
    writes: "webhook_endpoint",
    path: one,
    summary: "Deletes a webhook endpoint",
    description: "Events that were not delivered yet are not sent any more.",
    responses: deleted,
  },
  {
    ...writing("POST"),
    id: "rotateWebhookSecret",
    writes: "webhook_endpoint",
    path: `${one}/rotate-secret`,
    summary: "Rotates the secret of a webhook endpoint",
    description:
      "Events carry two signatures for 24 hours, by the new secret and by the one before, so that either verifies them.",
    responses: {
      200: { description: "The endpoint and its new secret.", schema: WebhookEndpointWithSecret },
    },
    refusals: { 409: `${secretGone}.` },
  },
  {
    ...writing("POST"),
    id: "testWebhookEndpoint",
    idempotency: "leased",
    path: `${one}/test`,
    summary: "Sends a test to a webhook endpoint",
    description:
      "Sends `webhook.test` once, also to an endpoint that is switched off, and waits for the response, at most 15 s. It is no delivery, and says nothing about whether the endpoint is failing. An organization has 20 webhooks in flight at most, tests and attempts together; a test beyond is 429, `organization_busy`.",
    responses: { 200: { description: "The result of the test.", schema: WebhookTestResult } },
  },
  {
    ...reading,
    id: "listWebhookDeliveries",
    path: `${one}/deliveries`,
    summary: "Lists what was sent to a webhook endpoint",
    description: "The list has the deliveries of the last 30 days, newest first.",
    query: WebhookDeliveriesQuery,
    responses: { 200: { description: "The deliveries, newest first.", schema: WebhookDeliveryList } },
  },
  {
    ...reading,
    id: "getWebhookDelivery",
    path: `${one}/deliveries/{delivery_id}`,
    summary: "Reads one delivery, with the body that is sent",
    description:
      "A program that cannot be reached from outside reads its events so: an endpoint whose address has a name under `.invalid` gets deliveries like every other, and nothing can be sent to it.",
    responses: { 200: { description: "The delivery and its body.", schema: WebhookDeliveryWithBody } },
  },
  {
    ...writing("POST"),
    id: "redeliverWebhookDelivery",
    writes: "webhook_delivery",
    idempotency: "leased",
    path: `${one}/deliveries/{delivery_id}/redeliver`,
    summary: "Sends an event to a webhook endpoint again",
    description:
      "The same bytes under the same `webhook-id`, from the first attempt on, whatever has become of it before.",
    responses: { 200: { description: "The delivery, which is pending.", schema: WebhookDelivery } },
    refusals: { 409: "`conflict`: the endpoint is switched off." },
  },
]);
