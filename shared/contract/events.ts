import * as z from "zod";
import { machineStatuses } from "../vocabulary/machines.ts";
import { scheduleStops } from "../vocabulary/schedules.ts";
import { example } from "./fields/example.ts";
import { RunStatus } from "./run/run.ts";

const told = {
  event_id: z
    .string()
    .describe("The event's id, the same at every delivery, so that a repeat can be dropped."),
  organization_id: z.string().describe("The organization that the event belongs to."),
  occurred_at: z.iso.datetime().describe("Time of the change that the event reports, to the second."),
  revision: z
    .int()
    .min(1)
    .describe(
      "A number that grows with each change of that run, machine or schedule: of two events, the one with the greater number is the later.",
    ),
};

export const RunEvent = z.strictObject({
  ...told,
  run_id: z.uuid().describe("The run that the event is about."),
  workflow_id: z.guid().describe("The workflow that the run executes."),
  machine_id: z
    .guid()
    .nullable()
    .describe("The machine that has the run, or that it waits for; null while it has none and names none."),
  pool_ids: z.array(z.guid()).describe("The pools that the run names: its machine is in all of them."),
  session_id: z.guid().nullable().describe("The session that the run belongs to; null without one."),
  user_id: z.guid().describe("The user whose API key or session created the run."),
  status: RunStatus.describe("The run's status after the change."),
  previous_status: RunStatus.nullable().describe(
    "The run's status before the change; null in `run.created`.",
  ),
  created_at: z.iso.datetime().describe("Time at which the run was created."),
  started_at: z.iso.datetime().nullable().describe("Time at which a machine began the run; null before."),
  ended_at: z.iso.datetime().nullable().describe("Time at which the run ended; null before."),
});
export type RunEvent = z.infer<typeof RunEvent>;

const EventMachineStatus = z.enum(machineStatuses);

export const MachineEvent = z.strictObject({
  ...told,
  machine_id: z.uuid().describe("The machine that the event is about."),
  name: example(z.string(), "Front desk").describe("The machine's name, for people."),
  status: EventMachineStatus.describe("The machine's status after the change."),
  previous_status: EventMachineStatus.nullable().describe(
    "The machine's status before the change; null in `machine.created`.",
  ),
  is_available: z.boolean().describe("Whether the machine takes new runs."),
  alerts_enabled: z.boolean().describe("Whether the machine's user wants to be told of its events."),
  reserved_session_id: z
    .guid()
    .nullable()
    .describe("The session that the machine is reserved for; null while there is none."),
  pool_ids: z.array(z.guid()).describe("The pools that the machine is in."),
  created_at: z.iso.datetime().describe("Time at which the machine was created."),
});
export type MachineEvent = z.infer<typeof MachineEvent>;

export const MissedTimes = z
  .strictObject({
    first_due_at: z.iso.datetime().describe("The first time that was missed."),
    last_due_at: z.iso.datetime().describe("The last time that was missed, which may be the first."),
    count: z.int().min(1).describe("Number of times that were missed, both included."),
  })
  .describe("Times of a schedule that the service came too late for.");

export const ScheduleEvent = z.strictObject({
  ...told,
  schedule_id: z.uuid().describe("The schedule that the event is about."),
  name: example(z.string(), "Invoices, every morning").describe("The schedule's name, for people."),
  workflow_id: z.guid().describe("The workflow that the schedule's runs execute."),
  user_id: z.guid().describe("The user whose runs they are."),
  is_enabled: z.boolean().describe("Whether the schedule starts runs, after the change."),
  disabled_reason: z
    .enum(scheduleStops)
    .nullable()
    .describe("The reason for which the service has switched the schedule off; null in `schedule.missed`."),
  missed: MissedTimes.nullable().describe(
    "The times that the service came too late for; null in `schedule.disabled`.",
  ),
  created_at: z.iso.datetime().describe("Time at which the schedule was created."),
});
export type ScheduleEvent = z.infer<typeof ScheduleEvent>;

/** The event is about a connection, so it has no `revision` of the machine. */
export const MachineSupersededEvent = z.strictObject({
  event_id: told.event_id,
  organization_id: told.organization_id,
  occurred_at: told.occurred_at,
  machine_id: z.uuid().describe("The machine whose connection was replaced."),
  connection_id: z.uuid().describe("The connection that took the machine over."),
  address: example(z.string(), "203.0.113.7").describe("The IP address that the new connection came from."),
  previous_address: example(z.string(), "198.51.100.7").describe(
    "The IP address that the replaced connection came from.",
  ),
});
export type MachineSupersededEvent = z.infer<typeof MachineSupersededEvent>;
