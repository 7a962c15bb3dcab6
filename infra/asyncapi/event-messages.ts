import type * as z from "zod";
import {
  MachineEvent,
  MachineSupersededEvent,
  RunEvent,
  ScheduleEvent,
} from "../../shared/contract/events.ts";

export interface EventMessage {
  readonly name: string;
  readonly summary: string;
  readonly schema: z.ZodType;
  readonly example: Readonly<Record<string, unknown>>;
}

const recordId = "7de3041dd709b024af6f29e4fa13d34c";
const id = "0198c0de-7a1b-7c3d-9e4f-5a6b7c8d9e0f";
const createdAt = "2026-01-15T12:00:00.120Z";

const exampleRun = {
  run_id: id,
  workflow_id: id,
  machine_id: id,
  pool_ids: [],
  session_id: null,
  user_id: id,
  created_at: createdAt,
  started_at: null,
  ended_at: null,
};
const exampleMachine = {
  machine_id: id,
  name: "reception",
  is_available: true,
  alerts_enabled: true,
  reserved_session_id: null,
  pool_ids: [],
  created_at: createdAt,
};

const ofRun = { schema: RunEvent, about: "run" } as const;
const ofMachine = { schema: MachineEvent, about: "machine" } as const;

/** Each row has the type, the subject, the state before and after, and the summary. */
const rows = [
  ["run.created", ofRun, null, "scheduling", "A run waits for a machine."],
  ["run.retried", ofRun, "error", "scheduling", "A run that had ended waits for a machine again."],
  ["run.running", ofRun, "scheduling", "running", "A machine has the run, and is busy."],
  ["run.held", ofRun, "running", "running", "A person, or the run's model that asks for one, holds the run."],
  ["run.success", ofRun, "running", "success", "The run has ended well."],
  ["run.error", ofRun, "running", "error", "The run could not be done."],
  ["run.task_failed", ofRun, "running", "task_failed", "The run was done, its task was not."],
  ["run.cancelled", ofRun, "scheduling", "cancelled", "The run was called off."],
  ["run.deleted", ofRun, "success", "success", "The run is gone; a running one is cancelled first."],
  ["machine.created", ofMachine, null, "disconnected", "A machine was created."],
  ["machine.connected", ofMachine, "disconnected", "connected", "The machine's status has become connected."],
  [
    "machine.disconnected",
    ofMachine,
    "connected",
    "disconnected",
    "The machine's status has become disconnected.",
  ],
  [
    "machine.error",
    ofMachine,
    "connected",
    "error",
    "The machine was taken out of service, connected or not.",
  ],
  ["machine.available", ofMachine, "connected", "connected", "The machine's user lets it take runs."],
  ["machine.unavailable", ofMachine, "connected", "connected", "The machine's user lets it take no runs."],
  ["machine.deleted", ofMachine, "disconnected", "disconnected", "The machine is gone."],
] as const;

const superseded: EventMessage = {
  name: "machine.superseded",
  summary:
    "A connection that did not show the machine's own secret took the place of one that was there: after a reset of the secret, by a key with `write`, or of a machine without one.",
  schema: MachineSupersededEvent,
  example: {
    event_id: `${recordId}:machine.superseded`,
    organization_id: "org_1",
    occurred_at: "2026-01-15T12:00:41.000Z",
    machine_id: id,
    connection_id: id,
    address: "198.51.100.7",
    previous_address: "192.0.2.7",
  },
};

const exampleSchedule = {
  event_id: recordId,
  organization_id: "org_1",
  occurred_at: "2026-01-15T12:00:41.000Z",
  revision: 4,
  schedule_id: id,
  name: "Invoices, every morning",
  workflow_id: id,
  user_id: id,
  created_at: createdAt,
};

const ofSchedules: readonly EventMessage[] = [
  {
    name: "schedule.missed",
    summary:
      "The service came more than 60 minutes late for times of a schedule, and starts no run for them.",
    schema: ScheduleEvent,
    example: {
      ...exampleSchedule,
      event_id: `${recordId}:schedule.missed`,
      is_enabled: true,
      disabled_reason: null,
      missed: {
        first_due_at: "2026-01-15T10:00:00.000Z",
        last_due_at: "2026-01-15T10:30:00.000Z",
        count: 3,
      },
    },
  },
  {
    name: "schedule.disabled",
    summary: "The service has switched a schedule off, since a part of its runs is gone.",
    schema: ScheduleEvent,
    example: {
      ...exampleSchedule,
      event_id: `${recordId}:schedule.disabled`,
      is_enabled: false,
      disabled_reason: "key_revoked",
      missed: null,
    },
  },
];

const ofStates: readonly EventMessage[] = rows.map(([name, { schema, about }, before, after, summary]) => ({
  name,
  summary,
  schema,
  example: {
    event_id: `${recordId}:${name}`,
    organization_id: "org_1",
    occurred_at: "2026-01-15T12:00:41.000Z",
    revision: 4,
    ...(about === "run" ? exampleRun : exampleMachine),
    status: after,
    previous_status: before,
  },
}));

export const eventMessages: readonly EventMessage[] = [...ofStates, superseded, ...ofSchedules];
