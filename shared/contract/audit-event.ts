import * as z from "zod";
import { actorKinds } from "../vocabulary/access.ts";
import { createdQuery, listOf, pageQuery, Uuid } from "./fields/common.ts";
import { text } from "./fields/text.ts";

/**
 * The resources whose changes are on record, as their rows are called, and the parameter of a path that names one.
 */
export const resourcePathParameters = {
  machine: "machine_id",
  pool: "pool_id",
  workflow: "workflow_id",
  workflow_tag: "tag_id",
  workflow_tag_group: "group_id",
  model_configuration: "model_configuration_id",
  run: "run_id",
  attachment: "attachment_id",
  trajectory: "trajectory_id",
  connection: "connection_id",
  provider_credential: "slot",
  api_key: "api_key_id",
  prompt_image: "image_id",
  webhook_endpoint: "endpoint_id",
  webhook_delivery: "delivery_id",
} as const;

export type AuditedResource = keyof typeof resourcePathParameters;

const ResourceType = z.enum(Object.keys(resourcePathParameters) as [AuditedResource, ...AuditedResource[]]);

/** Who did something, in audit events and in the request log. */
export const actorFields = {
  get actor_type() {
    return z.enum(actorKinds);
  },
  get actor() {
    return z.string().describe("The API key's id, the session's user id, or `run#` and the run's id.");
  },
  get user_id() {
    return z.string().nullable().describe("The key's user, or the session's; null for the service itself.");
  },
  get address() {
    return z.string().nullable().describe("From where; null for the service itself.");
  },
};

export const AuditEventPath = z.strictObject({ audit_event_id: Uuid });

export const AuditEventsQuery = z.strictObject({
  ...pageQuery,
  ...createdQuery,
  actor: text(1, 255).optional(),
  operation: text(1, 255).optional().describe("An `operationId` of this document."),
  resource_type: ResourceType.optional(),
  resource_id: text(1, 255).optional(),
});

/** No values: what a resource is like is read from the resource. */
export const AuditEvent = z.strictObject({
  id: z.uuid(),
  created_at: z.iso.datetime().describe("When the request began."),
  ...actorFields,
  operation: z.string().describe("The `operationId`."),
  resource_type: ResourceType,
  resource_id: z.string().describe("Of a request for several resources, the first one's."),
  request_id: z.string().describe("The response's `X-Request-Id`."),
});
export type AuditEvent = z.infer<typeof AuditEvent>;

export const AuditEventList = listOf(AuditEvent, z.never()).omit({ included: true });
export type AuditEventList = z.infer<typeof AuditEventList>;
