import * as z from "zod";
import { MachineEvent, MachineSupersededEvent, ScheduleEvent } from "../events.ts";
import { example } from "../fields/example.ts";
import { Run } from "../run/run.ts";
import { WebhookEventType } from "./webhook.ts";

/** Events leave out a run's heavy fields when these have more bytes of JSON together. */
export const eventHeavyBytesMax = 196_608;

const sent = {
  event_id: z.uuid().describe("The event's id, also in `webhook-id`; the same at every attempt."),
  event_type: WebhookEventType.describe("The event's type."),
  occurred_at: z.iso.datetime().describe("Time of the change that the event reports, to the second."),
};

export const WebhookRun = z
  .strictObject({
    ...Run.shape,
    omitted_fields: example(
      z.array(z.enum(["main_prompt", "output_data", "run_message_history"])),
      [],
    ).describe(
      "Names of the fields that are null here because they have more than 192 KB together; GET of the run returns them.",
    ),
  })
  .describe("The run as it was at that time; sensitive inputs have their aliases alone.");

export const WebhookRunEvent = z
  .strictObject({ ...sent, run: WebhookRun.describe("The run as it was at that time.") })
  .describe("The body of an event about a run.");
export type WebhookRunEvent = z.infer<typeof WebhookRunEvent>;

const inEnvelope = { event_id: true, organization_id: true, occurred_at: true } as const;

export const WebhookMachine = MachineEvent.omit(inEnvelope).describe(
  "The machine that an event is about, as it was at that time.",
);

export const WebhookMachineEvent = z
  .strictObject({ ...sent, machine: WebhookMachine.describe("The machine as it was at that time.") })
  .describe("The body of an event about a machine.");
export type WebhookMachineEvent = z.infer<typeof WebhookMachineEvent>;

export const WebhookSchedule = ScheduleEvent.omit(inEnvelope).describe(
  "The schedule that an event is about, as it was at that time.",
);

export const WebhookScheduleEvent = z
  .strictObject({ ...sent, schedule: WebhookSchedule.describe("The schedule as it was at that time.") })
  .describe("The body of an event about a schedule.");
export type WebhookScheduleEvent = z.infer<typeof WebhookScheduleEvent>;

export const WebhookConnection = MachineSupersededEvent.omit(inEnvelope).describe(
  "The connection that took a machine over, and the address of the one that it replaced.",
);

export const WebhookConnectionEvent = z
  .strictObject({
    ...sent,
    connection: WebhookConnection.describe("The connection that took the machine over."),
  })
  .describe("The body of `machine.superseded`: a connection took a machine over from another one.");
export type WebhookConnectionEvent = z.infer<typeof WebhookConnectionEvent>;

export const TestedWebhookEndpoint = z
  .strictObject({ id: z.uuid().describe("The endpoint's id.") })
  .describe("The endpoint that a test is sent to.");

/** A test is not an event: only `POST …/test` sends it. */
export const WebhookTestEvent = z
  .strictObject({
    ...sent,
    event_type: z
      .literal("webhook.test")
      .describe("The constant `webhook.test`: the type of a test's only event."),
    endpoint: TestedWebhookEndpoint.describe("The endpoint that is tested."),
  })
  .describe("The body of a test of an endpoint.");
