import * as z from "zod";
import {
  deliveryStatuses,
  disabledReasons,
  sendFailures,
  webhookEventTypes,
} from "../../vocabulary/events.ts";
import { unprintable } from "../../vocabulary/unprintable.ts";
import { OrganizationId, pageOf, pageQuery } from "../fields/common.ts";
import { example } from "../fields/example.ts";
import { text } from "../fields/text.ts";

export const WebhookEventType = z
  .enum(webhookEventTypes)
  .describe(
    "The type of an event. `run.complete` is every end of a run, as its status says; events of runs are sent for workflows with `is_webhooks_enabled`.",
  );
export type WebhookEventType = z.infer<typeof WebhookEventType>;

const url = text(0, 2_048)
  .regex(
    new RegExp(String.raw`^https?://[^\s${unprintable}]+$`, "u"),
    "String should be an address that begins with https://",
  )
  .describe(
    "The endpoint's `https` address, without user, password and fragment. Its name is resolved before each attempt, and an address that is not public is refused.",
  );

const eventTypes = z
  .array(WebhookEventType)
  .max(WebhookEventType.options.length)
  .describe("The types of events that are sent to the endpoint; an empty array stands for all of them.");

const description = text(0, 1_000).describe("The endpoint's purpose, for people.");

export const CreateWebhookEndpointBody = z
  .strictObject({
    url,
    description: description.optional().describe("The endpoint's purpose, for people. Default: empty."),
    event_types: eventTypes
      .optional()
      .describe(
        "The types of events that are sent to the endpoint. Default: an empty array, which stands for all of them.",
      ),
    is_enabled: z.boolean().optional().describe("Whether events are sent to the endpoint. Default true."),
  })
  .describe("An address that events are to be sent to.");
export type CreateWebhookEndpointBody = z.infer<typeof CreateWebhookEndpointBody>;

export const UpdateWebhookEndpointBody = z
  .strictObject({
    url: url.optional(),
    description: description.optional(),
    event_types: eventTypes.optional(),
    is_enabled: z
      .boolean()
      .optional()
      .describe("Whether events are sent to the endpoint; true also enables one that the service disabled."),
  })
  .describe("Changes of a webhook endpoint: only the fields provided are changed.");
export type UpdateWebhookEndpointBody = z.infer<typeof UpdateWebhookEndpointBody>;

const endpointFields = {
  get id() {
    return z.uuid().describe("The webhook endpoint's id.");
  },
  get organization_id() {
    return OrganizationId.describe("The organization that the endpoint belongs to.");
  },
  get url() {
    return example(z.string(), "https://example.com/hooks").describe("The address that events are sent to.");
  },
  get description() {
    return z.string().describe("The endpoint's purpose, for people.");
  },
  get event_types() {
    return z
      .array(WebhookEventType)
      .describe("The types of events that are sent to the endpoint; an empty array stands for all of them.");
  },
  get is_enabled() {
    return z.boolean().describe("Whether events are sent to the endpoint.");
  },
  get disabled_reason() {
    return z
      .enum(disabledReasons)
      .nullable()
      .describe(
        "The reason why the service disabled the endpoint: it answered 410 (`gone`), or every attempt failed for five days (`failing`). Null otherwise.",
      );
  },
  get failing_since() {
    return z.iso
      .datetime()
      .nullable()
      .describe("Time of the first attempt that failed since the last success; null after a success.");
  },
  get previous_secret_expires_at() {
    return z.iso
      .datetime()
      .nullable()
      .describe(
        "Time until which events are also signed with the secret before the last rotation; null if there is none.",
      );
  },
  get created_at() {
    return z.iso.datetime().describe("Time at which the endpoint was created.");
  },
  get updated_at() {
    return z.iso.datetime().describe("Time at which a request last changed the endpoint.");
  },
};

export const WebhookEndpoint = z.strictObject(endpointFields).describe("An address that events are sent to.");
export type WebhookEndpoint = z.infer<typeof WebhookEndpoint>;

export const WebhookEndpointList = pageOf(WebhookEndpoint).describe(
  "A page of webhook endpoints, newest first.",
);

export const WebhookEndpointWithSecret = z
  .strictObject({
    ...endpointFields,
    secret: example(
      z.string().regex(/^whsec_[A-Za-z0-9+/]+={0,2}$/),
      "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD",
    ).describe("The secret that events are signed with. It is shown here and not again."),
  })
  .describe("A webhook endpoint and its new secret.");
export type WebhookEndpointWithSecret = z.infer<typeof WebhookEndpointWithSecret>;

export const WebhookFailure = z.enum(sendFailures).describe("The reason why an attempt got no response.");

const attemptOutcome = {
  status_code: example(z.int().nullable(), 200).describe(
    "The status that the endpoint responded with; null if it did not respond.",
  ),
  error: WebhookFailure.nullable().describe("The reason why there was no response; null if there was one."),
  duration_ms: z
    .int()
    .min(0)
    .describe("Time until the response began or the attempt failed, in milliseconds."),
};

export const WebhookTestResult = z
  .strictObject({
    event_id: z.uuid().describe("The id of the `webhook.test` that was sent, also in `webhook-id`."),
    is_delivered: z.boolean().describe("Whether the endpoint responded with a 2xx."),
    ...attemptOutcome,
    response_body: z.string().describe("The first 1,024 bytes of the response, as UTF-8."),
  })
  .describe("The result of sending a test to an endpoint.");
export type WebhookTestResult = z.infer<typeof WebhookTestResult>;

export const WebhookAttempt = z
  .strictObject({
    attempted_at: z.iso.datetime().describe("Time at which the attempt began."),
    ...attemptOutcome,
  })
  .describe("One attempt to deliver an event.");

export const WebhookDelivery = z
  .strictObject({
    id: z.uuid().describe("The delivery's id."),
    endpoint_id: z.uuid().describe("The webhook endpoint that the event is sent to."),
    event_id: z.uuid().describe("The event's id, also in the `webhook-id` of every attempt."),
    event_type: WebhookEventType.describe("The event's type."),
    status: z
      .enum(deliveryStatuses)
      .describe(
        "The delivery's state; `cancelled` if the endpoint was disabled or deleted before the event was delivered.",
      ),
    attempts: z.array(WebhookAttempt).describe("The last 20 attempts, oldest first."),
    next_attempt_at: z.iso
      .datetime()
      .nullable()
      .describe("Earliest time of the next attempt; null if the delivery is not pending."),
    created_at: z.iso.datetime().describe("Time of the change that the event reports, to the second."),
  })
  .describe("The delivery of an event to an endpoint; it stays on record for 30 days.");
export type WebhookDelivery = z.infer<typeof WebhookDelivery>;

export const WebhookDeliveryWithBody = WebhookDelivery.extend({
  body: example(z.string().nullable(), '{"event_type":"run.complete"}').describe(
    "The body that each attempt sends, to the byte; null once it is not on record any more.",
  ),
}).describe("The delivery of an event to an endpoint, with what is sent.");
export type WebhookDeliveryWithBody = z.infer<typeof WebhookDeliveryWithBody>;

export const WebhookDeliveriesQuery = z.strictObject({ ...pageQuery });

export const WebhookDeliveryList = pageOf(WebhookDelivery).describe(
  "A page of an endpoint's deliveries, newest first.",
);
