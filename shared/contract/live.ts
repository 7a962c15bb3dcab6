import * as z from "zod";
import { liveTicketSeconds, topicsMax, viewerDismissals } from "../vocabulary/live.ts";
import { machineStatuses } from "../vocabulary/machines.ts";
import { runStatuses } from "../vocabulary/runs.ts";
import { example } from "./fields/example.ts";
import { ErrorMessage, GoodbyeMessage } from "./tunnel.ts";

export const LiveTicket = z
  .strictObject({
    ticket: example(z.string(), "q0Jm3v9cTz1o4bqkq1kB2yV7pC8nXw5sLr6tYhUeDfA").describe(
      `The ticket: good for one connection, within ${liveTicketSeconds} seconds.`,
    ),
    url: example(
      z.url(),
      "wss://tunnel.example.com/?ticket=q0Jm3v9cTz1o4bqkq1kB2yV7pC8nXw5sLr6tYhUeDfA",
    ).describe("The WebSocket address to open as it is; it has the ticket."),
    expires_at: z.iso.datetime().describe("Time at which the ticket expires."),
  })
  .describe("The address with which a browser opens the live channel once.");
export type LiveTicket = z.infer<typeof LiveTicket>;

const id = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";

export const Topic = z
  .string()
  .regex(new RegExp(`^(?:machines|runs|(?:machine|run):${id})$`))
  .describe("The changes of all machines, of all runs, or of one of them.");

export const WatchMessage = z.object({
  type: z.literal("watch").describe("The constant `watch`."),
  topics: z
    .array(Topic)
    .max(topicsMax)
    .describe(
      "All topics that the viewer watches from now on: `machines`, `runs`, `run:<id>`, `machine:<id>`.",
    ),
});
export type WatchMessage = z.infer<typeof WatchMessage>;

export const ViewerPingMessage = z.object({
  type: z.literal("ping").describe("The constant `ping`; the message has no other field."),
});

export const ViewerMessage = z.discriminatedUnion("type", [WatchMessage, ViewerPingMessage]);
export type ViewerMessage = z.infer<typeof ViewerMessage>;

export const WatchingMessage = z.object({
  type: z.literal("watching").describe("The constant `watching`."),
  topics: z.array(Topic).max(topicsMax).describe("The topics watched, each once."),
});

export const ViewerPongMessage = z.object({ type: z.literal("pong").describe("The constant `pong`.") });

const Revision = z
  .int()
  .min(0)
  .nullable()
  .describe("The revision after the change, which grows with each; null once the resource is deleted.");

export const RunChangedMessage = z.object({
  type: z.literal("run.changed").describe("The constant `run.changed`."),
  run_id: z.uuid().describe("The run's id."),
  workflow_id: z.uuid().nullable().describe("The workflow's id; null once the run is deleted."),
  machine_id: z.uuid().nullable().describe("The machine's id; null while there is none."),
  revision: Revision,
  status: z.enum(runStatuses).nullable().describe("The run's status; null once it is deleted."),
  progress: z
    .object({
      step: z.int().min(0).describe("The current step."),
      of: z.int().min(0).describe("The number of steps, or the most that there may be."),
    })
    .nullable()
    .describe("The progress of a running run that the service carries out; null before its first step."),
  is_held: z.boolean().describe("Whether a person has the run's machine now."),
});
export type RunChangedMessage = z.infer<typeof RunChangedMessage>;

export const StepRecordedMessage = z.object({
  type: z.literal("step.recorded").describe("The constant `step.recorded`."),
  run_id: z.uuid().describe("The run's id."),
  index: z.int().min(1).describe("The index of the last step on record; earlier ones may be new, too."),
});
export type StepRecordedMessage = z.infer<typeof StepRecordedMessage>;

export const MachineChangedMessage = z.object({
  type: z.literal("machine.changed").describe("The constant `machine.changed`."),
  machine_id: z.uuid().describe("The machine's id."),
  revision: Revision,
  status: z.enum(machineStatuses).nullable().describe("The machine's status; null once it is deleted."),
});
export type MachineChangedMessage = z.infer<typeof MachineChangedMessage>;

export const MissedMessage = z.object({
  type: z
    .literal("missed")
    .describe("The constant `missed`: hints were left out, so all that is shown is read anew."),
});

export const ViewerGoodbyeMessage = GoodbyeMessage.omit({ address: true }).extend({
  code: z.enum(viewerDismissals).describe("The reason why the connection is about to be deleted."),
});

export const LiveMessage = z.discriminatedUnion("type", [
  WatchingMessage,
  ViewerPongMessage,
  RunChangedMessage,
  StepRecordedMessage,
  MachineChangedMessage,
  MissedMessage,
  ErrorMessage,
  ViewerGoodbyeMessage,
]);
export type LiveMessage = z.infer<typeof LiveMessage>;
