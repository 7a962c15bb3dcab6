import * as z from "zod";
import { machineStatuses } from "../vocabulary/machines.ts";
import { RunStatus } from "./run/run.ts";

/** Fields of every event. */
const told = {
  event_id: z
    .string()
    .describe("The same however often the event is delivered: who has seen it drops the repeat."),
  organization_id: z.string(),
  occurred_at: z.iso.datetime().describe("When it came about, to the second."),
  revision: z
    .int()
    .min(1)
    .describe(
      "Goes up with each change of that run or machine: of two events the one with the greater is the later.",
    ),
};

/** The `detail` of every event about a run. */
export const RunEvent = z.strictObject({
  ...told,
  run_id: z.uuid(),
  workflow_id: z.guid(),
  machine_id: z.guid().nullable().describe("Null while it has none and names none."),
  pool_ids: z.array(z.guid()),
  session_id: z.guid().nullable(),
  user_id: z.guid(),
  status: RunStatus,
  previous_status: RunStatus.nullable().describe("Null in `run.created`."),
  created_at: z.iso.datetime(),
  started_at: z.iso.datetime().nullable(),
  ended_at: z.iso.datetime().nullable(),
});
export type RunEvent = z.infer<typeof RunEvent>;

const EventMachineStatus = z.enum(machineStatuses);

/** The `detail` of every event about a machine. */
export const MachineEvent = z.strictObject({
  ...told,
  machine_id: z.uuid(),
  name: z.string(),
  status: EventMachineStatus,
  previous_status: EventMachineStatus.nullable().describe("Null in `machine.created`."),
  is_available: z.boolean(),
  alerts_enabled: z.boolean().describe("Whether its user wants to hear of it."),
  reserved_session_id: z.guid().nullable(),
  pool_ids: z.array(z.guid()),
  created_at: z.iso.datetime(),
});
export type MachineEvent = z.infer<typeof MachineEvent>;

/** The `detail` of `machine.superseded`: of a connection, so it has no `revision` of the machine. */
export const MachineSupersededEvent = z.strictObject({
  event_id: told.event_id,
  organization_id: told.organization_id,
  occurred_at: told.occurred_at,
  machine_id: z.uuid(),
  connection_id: z.uuid().describe("The connection that took the machine."),
  address: z.string().describe("Whence it came."),
  previous_address: z.string().describe("Whence the connection came that it took the place of."),
});
export type MachineSupersededEvent = z.infer<typeof MachineSupersededEvent>;
