import * as z from "zod";
import { MachineEvent, MachineSupersededEvent } from "./events.ts";
import { Run } from "./run/run.ts";
import { WebhookEventType } from "./webhook.ts";

/** Heavy fields of a run above this many bytes of JSON together are left out of its events. */
export const eventHeavyBytesMax = 196_608;

/** Fields of every event that is sent. */
const sent = {
  event_id: z
    .uuid()
    .describe("The `webhook-id`: the same at every attempt, so that a repeat can be dropped."),
  event_type: WebhookEventType,
  occurred_at: z.iso.datetime().describe("When it came about, to the second."),
};

export const WebhookRun = z
  .strictObject({
    ...Run.shape,
    omitted_fields: z
      .array(z.enum(["output_data", "run_message_history"]))
      .describe("Fields that are null here because they are above 192 KB together; GET the run for them."),
  })
  .describe("The run as it was then; of sensitive values the aliases alone.");

/** The body of every event about a run. */
export const WebhookRunEvent = z
  .strictObject({ ...sent, run: WebhookRun })
  .describe("Something has become of a run.");
export type WebhookRunEvent = z.infer<typeof WebhookRunEvent>;

const inEnvelope = { event_id: true, organization_id: true, occurred_at: true } as const;

export const WebhookMachine = MachineEvent.omit(inEnvelope).describe("The machine as it was then.");

/** The body of every event about a machine. */
export const WebhookMachineEvent = z
  .strictObject({ ...sent, machine: WebhookMachine })
  .describe("Something has become of a machine.");
export type WebhookMachineEvent = z.infer<typeof WebhookMachineEvent>;

export const WebhookConnection = MachineSupersededEvent.omit(inEnvelope).describe(
  "The connection that took the machine.",
);

/** The body of `machine.superseded`. */
export const WebhookConnectionEvent = z
  .strictObject({ ...sent, connection: WebhookConnection })
  .describe("A connection took a machine from another one.");
export type WebhookConnectionEvent = z.infer<typeof WebhookConnectionEvent>;

export const TestedWebhookEndpoint = z
  .strictObject({ id: z.uuid().describe("Of the endpoint.") })
  .describe("The endpoint that is tested.");

/** The body of `webhook.test`, which is no event: `POST …/test` alone sends it. */
export const WebhookTestEvent = z
  .strictObject({
    ...sent,
    event_type: z.literal("webhook.test").describe("No other is sent by a test."),
    endpoint: TestedWebhookEndpoint,
  })
  .describe("A test of an endpoint.");
