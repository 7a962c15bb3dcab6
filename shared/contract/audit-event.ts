import * as z from "zod";
import { callerKinds } from "../vocabulary/access.ts";
import {
  afterQuery,
  createdQuery,
  pageOf,
  pageQuery,
  refuseSkipBesideAfter,
  skipOrAfter,
} from "./fields/common.ts";
import { example } from "./fields/example.ts";
import { anyOf } from "./fields/query-values.ts";
import { text } from "./fields/text.ts";

/** The keys are the kinds of these resources' rows. */
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
  recording: "recording_id",
  schedule: "schedule_id",
  connection: "connection_id",
  provider_credential: "slot",
  api_key: "api_key_id",
  prompt_image: "image_id",
  webhook_endpoint: "endpoint_id",
  webhook_delivery: "delivery_id",
  setting: "setting",
} as const;

export type AuditedResource = keyof typeof resourcePathParameters;

const ResourceType = z.enum(Object.keys(resourcePathParameters) as [AuditedResource, ...AuditedResource[]]);

export const actorFields = {
  get actor_type() {
    return z
      .enum(callerKinds)
      .exclude(["anonymous"])
      .describe("The kind of credentials that acted; `service` is the service itself.");
  },
  get actor() {
    return example(z.string(), "key_8d1c40").describe(
      "The id of the API key, the user id of the session, or `run#` and the run's id.",
    );
  },
  get user_id() {
    return example(z.string().nullable(), "0198c0de-7a1b-7c3d-9e4f-5a6b7c8d9e06").describe(
      "The user of the API key or of the session; null for the service itself.",
    );
  },
  get address() {
    return example(z.string().nullable(), "203.0.113.7").describe(
      "The IP address that the request came from; null for the service itself.",
    );
  },
};

export const AuditEventsQuery = z
  .strictObject({
    ...pageQuery,
    ...afterQuery,
    ...createdQuery,
    actor: anyOf(text(1, 255), "Only events of this API key or user are listed: the field `actor`."),
    operation: anyOf(
      text(1, 255),
      "Only events of the operation with this `operationId` of this document are listed.",
    ),
    resource_type: anyOf(ResourceType, "Only events of resources of this type are listed."),
    resource_id: anyOf(text(1, 255), "Only events of the resource with this id are listed."),
  })
  .superRefine(refuseSkipBesideAfter)
  .meta({ says: [skipOrAfter] });

export const AuditEvent = z
  .strictObject({
    id: z.uuid().describe("The audit event's id."),
    created_at: z.iso.datetime().describe("Time at which the request began."),
    ...actorFields,
    operation: example(z.string(), "updateMachine").describe(
      "The `operationId` of the operation that changed the resource.",
    ),
    resource_type: ResourceType.describe("The type of the resource that was changed."),
    resource_id: example(z.string(), "0198c0de-7a1b-7c3d-9e4f-5a6b7c8d9e02").describe(
      "The id of the resource that was changed, or of the first of several.",
    ),
    request_id: example(z.string(), "JKJaXmPLvHcESHA=").describe("The `X-Request-Id` of the response."),
  })
  .describe(
    "One change of a resource: who made it, when and by which operation. It has no values, which are read from the resource.",
  );
export type AuditEvent = z.infer<typeof AuditEvent>;

export const AuditEventList = pageOf(AuditEvent).describe("A page of audit events, newest first.");
export type AuditEventList = z.infer<typeof AuditEventList>;
