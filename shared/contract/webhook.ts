import * as z from "zod";
import { deliveryStatuses, disabledReasons, sendFailures, webhookEventTypes } from "../vocabulary/events.ts";
import { listOf, pageQuery, Uuid } from "./fields/common.ts";
import { text } from "./fields/text.ts";

export const WebhookEventType = z
  .enum(webhookEventTypes)
  .describe(
    "`run.complete` is every end of a run, as its status says; events of runs are sent for workflows with `is_webhooks_enabled`.",
  );
export type WebhookEventType = z.infer<typeof WebhookEventType>;

const url = text(0, 2_048)
  .regex(/^https?:\/\/\S+$/)
  .describe(
    "An `https` address without user, password and fragment. Its name is resolved before each attempt; an address that is not public is refused.",
  );

const eventTypes = z
  .array(WebhookEventType)
  .max(WebhookEventType.options.length)
  .describe("The events that are sent there; an empty array: all of them.");

const description = text(0, 1_000).describe("What it is for.");

export const CreateWebhookEndpointBody = z
  .strictObject({
    url,
    description: description.optional().describe("What it is for. Default: empty."),
    event_types: eventTypes.optional().describe("The events that are sent there; none, the default: all."),
    is_enabled: z.boolean().optional().describe("Whether events are sent there. Default true."),
  })
  .describe("A webhook endpoint to make.");
export type CreateWebhookEndpointBody = z.infer<typeof CreateWebhookEndpointBody>;

export const UpdateWebhookEndpointBody = z
  .strictObject({
    url: url.optional(),
    description: description.optional(),
    event_types: eventTypes.optional(),
    is_enabled: z
      .boolean()
      .optional()
      .describe("Whether events are sent there; true switches one on again that was switched off."),
  })
  .describe("Only the fields provided are changed.");
export type UpdateWebhookEndpointBody = z.infer<typeof UpdateWebhookEndpointBody>;

export const WebhookEndpointPath = z.strictObject({ endpoint_id: Uuid });

export const WebhookDeliveryPath = z.strictObject({ endpoint_id: Uuid, delivery_id: Uuid });

const endpointFields = {
  get id() {
    return z.uuid().describe("Of the endpoint.");
  },
  get organization_id() {
    return z.string().describe("Whose it is.");
  },
  get url() {
    return z.string().describe("Where events are sent.");
  },
  get description() {
    return z.string().describe("What it is for.");
  },
  get event_types() {
    return z.array(WebhookEventType).describe("The events that are sent there; empty: all.");
  },
  get is_enabled() {
    return z.boolean().describe("Whether events are sent there.");
  },
  get disabled_reason() {
    return z
      .enum(disabledReasons)
      .nullable()
      .describe(
        "Why the service switched it off: it answered 410 (`gone`), or every attempt failed for five days (`failing`). Null otherwise.",
      );
  },
  get failing_since() {
    return z.iso.datetime().nullable().describe("When the first attempt failed since the last success.");
  },
  get previous_secret_expires_at() {
    return z.iso
      .datetime()
      .nullable()
      .describe("Until then events are signed with the secret before the last rotation, too.");
  },
  get created_at() {
    return z.iso.datetime().describe("When it was made.");
  },
  get updated_at() {
    return z.iso.datetime().describe("When a request last changed it.");
  },
};

export const WebhookEndpoint = z.strictObject(endpointFields).describe("An address that events are sent to.");
export type WebhookEndpoint = z.infer<typeof WebhookEndpoint>;

export const WebhookEndpointList = listOf(WebhookEndpoint, z.never()).omit({ included: true });

export const WebhookEndpointWithSecret = z
  .strictObject({
    ...endpointFields,
    secret: z
      .string()
      .regex(/^whsec_[A-Za-z0-9+/]+={0,2}$/)
      .describe("What events are signed with. It is shown here and not again."),
  })
  .describe("A webhook endpoint and its new secret.");
export type WebhookEndpointWithSecret = z.infer<typeof WebhookEndpointWithSecret>;

export const WebhookFailure = z.enum(sendFailures).describe("Why there was no response.");

export const WebhookTestResult = z
  .strictObject({
    event_id: z.uuid().describe("Of the `webhook.test` that was sent: its `webhook-id`."),
    is_delivered: z.boolean().describe("Whether the response was a 2xx."),
    status_code: z.int().nullable().describe("Of the response; null without one."),
    error: WebhookFailure.nullable().describe("Why there was no response; null with one."),
    duration_ms: z.int().min(0).describe("Until the response began, or until the attempt failed."),
    response_body: z.string().describe("The first 1,024 bytes of the response, as UTF-8."),
  })
  .describe("What became of a test.");
export type WebhookTestResult = z.infer<typeof WebhookTestResult>;

export const WebhookAttempt = z
  .strictObject({
    attempted_at: z.iso.datetime().describe("When it began."),
    status_code: z.int().nullable().describe("Of the response; null without one."),
    error: WebhookFailure.nullable().describe("Why there was no response; null with one."),
    duration_ms: z.int().min(0).describe("Until the response began, or until the attempt failed."),
  })
  .describe("One attempt to deliver an event.");

export const WebhookDelivery = z
  .strictObject({
    id: z.uuid().describe("Of the delivery."),
    endpoint_id: z.uuid().describe("Where it goes."),
    event_id: z.uuid().describe("Of the event; the `webhook-id` of every attempt."),
    event_type: WebhookEventType,
    status: z
      .enum(deliveryStatuses)
      .describe("`cancelled`: the endpoint was switched off or deleted before it was delivered."),
    attempts: z.array(WebhookAttempt).describe("The last 20, oldest first."),
    next_attempt_at: z.iso
      .datetime()
      .nullable()
      .describe("Of one that is pending, at the earliest; null for others."),
    created_at: z.iso.datetime().describe("When the event came about, to the second."),
  })
  .describe("An event on its way to an endpoint; kept for 30 days.");
export type WebhookDelivery = z.infer<typeof WebhookDelivery>;

export const WebhookDeliveriesQuery = z.strictObject({ ...pageQuery });

export const WebhookDeliveryList = listOf(WebhookDelivery, z.never()).omit({ included: true });
