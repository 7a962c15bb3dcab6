import { describe, expect, it } from "vitest";
import { presentEvent } from "../../../functions/projector/present-event.ts";
import {
  MachineEvent,
  MachineSupersededEvent,
  RunEvent,
  ScheduleEvent,
} from "../../../shared/contract/events.ts";
import type { Machine } from "../../../shared/domain/machine/machine.ts";
import type { Run } from "../../../shared/domain/run/run.ts";
import { connectionItem } from "../../../shared/storage/connection/connection-item.ts";
import { machineItem } from "../../../shared/storage/machine/machine-item.ts";
import { runItem } from "../../../shared/storage/run/run-item.ts";
import { scheduleItem } from "../../../shared/storage/schedule/schedule-item.ts";
import { readEvents } from "../../../shared/storage/stream/stream-events.ts";
import { runStatuses } from "../../../shared/vocabulary/runs.ts";
import { aConnection, aMachine, aRun } from "../../support/builders/entities.ts";
import { aSchedule } from "../../support/builders/schedules.ts";
import { streamRecord } from "../../support/stream-record.ts";

const deletedAt = "2026-01-15T12:00:00.000Z";
const connection = { id: "0198c0de-7a1b-7c3d-9e4f-5a6b7c8d9e0f", websocketId: "w=", host: "api/stage" };

const itemOfRun = (run: Run) => ({ ...runItem(run), deleted_at: run.deletedAt ?? undefined });
const itemOfMachine = (machine: Machine) => ({
  ...machineItem(machine),
  deleted_at: machine.deletedAt ?? undefined,
});

const ofRun = (before: Run | undefined, after: Run) =>
  readEvents(streamRecord(before && itemOfRun(before), itemOfRun(after)));
const ofMachine = (before: Machine | undefined, after: Machine) =>
  readEvents(streamRecord(before && itemOfMachine(before), itemOfMachine(after)));
const types = (events: readonly { readonly type: string }[]) => events.map(({ type }) => type);

describe("what a run's change means to who listens", () => {
  const run = aRun();

  it("is its creation", () => {
    expect(types(ofRun(undefined, run))).toEqual(["run.created"]);
  });

  it.each(runStatuses.filter((status) => status !== "scheduling"))("is its becoming %s", (status) => {
    expect(types(ofRun(run, { ...run, status }))).toEqual([`run.${status}`]);
  });

  it("is its being held, once for each hold", () => {
    const held = { by: { kind: "user", id: "u" }, reason: null, since: deletedAt, until: deletedAt } as const;
    const running = aRun({ status: "running" });
    const isHeld = { ...running, held };
    expect(types(ofRun(running, isHeld))).toEqual(["run.held"]);
    expect(types(ofRun(isHeld, { ...isHeld, held: { ...held, until: "2026-01-16T12:00:00.000Z" } }))).toEqual(
      [],
    );
    expect(types(ofRun(isHeld, running))).toEqual([]);
  });

  it("is its being done again when it comes back to scheduling", () => {
    expect(types(ofRun({ ...run, status: "error" }, run))).toEqual(["run.retried"]);
  });

  it("is its cancellation, then its deletion, when a running one is deleted", () => {
    const after = { ...run, status: "cancelled", deletedAt } as const;
    expect(types(ofRun({ ...run, status: "running" }, after))).toEqual(["run.cancelled", "run.deleted"]);
  });

  it("is nothing when the state stays the same, once it is deleted, and when its row goes", () => {
    expect(ofRun(run, { ...run, outputData: { kind: "inline", value: 1 } })).toEqual([]);
    expect(ofRun({ ...run, deletedAt }, { ...run, deletedAt, status: "cancelled" })).toEqual([]);
    expect(readEvents(streamRecord(itemOfRun(run), undefined))).toEqual([]);
  });
});

describe("what a machine's change means to who listens", () => {
  const machine = aMachine();
  const connected = { ...machine, connection };

  it("is its creation", () => {
    expect(types(ofMachine(undefined, machine))).toEqual(["machine.created"]);
  });

  it("is its coming, going, and being taken out of service and back", () => {
    const broken = { ...connected, outOfService: true };
    expect(types(ofMachine(machine, connected))).toEqual(["machine.connected"]);
    expect(types(ofMachine(connected, machine))).toEqual(["machine.disconnected"]);
    expect(types(ofMachine(connected, broken))).toEqual(["machine.error"]);
    expect(ofMachine(broken, connected)).toMatchObject([
      { type: "machine.connected", previousStatus: "error" },
    ]);
    // The machine is out of service, connected or not.
    expect(ofMachine(broken, { ...broken, connection: null })).toEqual([]);
  });

  it("is its user's switch, told beside a status that the same write changes", () => {
    const off = { ...connected, isAvailable: false };
    expect(types(ofMachine(connected, off))).toEqual(["machine.unavailable"]);
    expect(types(ofMachine(off, connected))).toEqual(["machine.available"]);
    const both = ofMachine(connected, { ...off, outOfService: true });
    expect(types(both)).toEqual(["machine.error", "machine.unavailable"]);
    expect(new Set(both.map(({ id }) => id)).size).toBe(2);
  });

  it("is its deletion, and nothing that comes of it", () => {
    const deleted = { ...connected, deletedAt };
    expect(types(ofMachine(connected, deleted))).toEqual(["machine.deleted"]);
    expect(ofMachine(deleted, { ...machine, deletedAt })).toEqual([]);
  });

  it("is nothing when it is heard of, gets another connection, or works", () => {
    expect(ofMachine(connected, { ...connected, lastSeen: deletedAt })).toEqual([]);
    expect(ofMachine(connected, { ...connected, connection: { ...connection, id: "other" } })).toEqual([]);
    expect(ofMachine(connected, { ...connected, currentRunId: "r" })).toEqual([]);
  });
});

describe("what a connection's change means to who listens", () => {
  const pending = aConnection(aMachine(), { ipAddress: "198.51.100.7" });
  const taking = { ...pending, supersededAddress: "192.0.2.7" };
  const ofConnection = (before: typeof pending, after: typeof pending) =>
    readEvents(streamRecord(connectionItem(before), connectionItem(after)));

  it("is that it took a machine from another, once, with both addresses", () => {
    const [event, ...others] = ofConnection(pending, taking).map(presentEvent);
    expect([event?.type, others]).toEqual(["machine.superseded", []]);
    expect(MachineSupersededEvent.parse(event?.detail)).toMatchObject({
      organization_id: pending.organizationId,
      machine_id: pending.machineId,
      connection_id: pending.id,
      address: "198.51.100.7",
      previous_address: "192.0.2.7",
    });
    expect(ofConnection(taking, { ...taking, lastPing: deletedAt })).toEqual([]);
    expect(ofConnection(pending, { ...pending, status: "connected" })).toEqual([]);
  });
});

describe("what a schedule's change means to who listens", () => {
  const schedule = aSchedule({ inputValues: { user: "s3cr3t" } });
  const ofSchedule = (before: typeof schedule | undefined, after: typeof schedule) =>
    readEvents(streamRecord(before && scheduleItem(before), scheduleItem(after))).map(presentEvent);
  const times = { firstDueAt: "2026-01-15T10:00:00.000Z", lastDueAt: "2026-01-15T10:30:00.000Z", count: 3 };
  const late = { ...schedule, missed: times, revision: 2 };

  it("is each write that leaves times out because it came too late, with those times", () => {
    const [event, ...others] = ofSchedule(schedule, late);
    expect([event?.type, others]).toEqual(["schedule.missed", []]);
    expect(ScheduleEvent.parse(event?.detail)).toMatchObject({
      schedule_id: schedule.id,
      workflow_id: schedule.workflowId,
      is_enabled: true,
      disabled_reason: null,
      missed: { first_due_at: times.firstDueAt, last_due_at: times.lastDueAt, count: 3 },
    });
    expect(JSON.stringify(event)).not.toContain("s3cr3t");
    expect(ofSchedule(late, { ...late, name: "other", revision: 3 })).toEqual([]);
    expect(ofSchedule(late, { ...late, missed: { ...times, lastDueAt: deletedAt } })).toHaveLength(1);
    expect(ofSchedule(late, { ...late, missed: null })).toEqual([]);
  });

  it("is that the service has switched it off, once, and not that a person has", () => {
    const off = { ...late, isEnabled: false, disabledReason: "key_revoked" } as const;
    const [event, ...others] = ofSchedule(late, off);
    expect([event?.type, others]).toEqual(["schedule.disabled", []]);
    expect(ScheduleEvent.parse(event?.detail)).toMatchObject({
      is_enabled: false,
      disabled_reason: "key_revoked",
      missed: null,
    });
    expect(ofSchedule(off, { ...off, name: "other" })).toEqual([]);
    expect(ofSchedule(schedule, { ...schedule, isEnabled: false })).toEqual([]);
    expect(ofSchedule(undefined, schedule)).toEqual([]);
  });
});

describe("an event", () => {
  const secret = "s3cr3t";
  const run = aRun({
    inputValues: { user: secret },
    sensitiveAliases: [secret],
    secretId: secret,
    error: [secret],
    outputData: { kind: "inline", value: secret },
    sessionAlias: secret,
    assignmentId: secret,
    usageMetadata: { cost: secret },
    status: "running",
    startedAt: deletedAt,
  });
  const machine = aMachine({
    parameters: { user: secret },
    sensitiveAliases: [secret],
    secretName: secret,
    fingerprint: secret,
  });
  const details = [...ofRun(undefined, run), ...ofMachine(undefined, machine)].map(presentEvent);

  it("is what the contract says, and has neither inputs, outputs nor secrets", () => {
    const [ofARun, ofAMachine] = details;
    expect(RunEvent.parse(ofARun?.detail)).toMatchObject({
      event_id: "7de3041dd709b024af6f29e4fa13d34c:run.created",
      organization_id: run.organizationId,
      occurred_at: "2026-01-15T12:00:00.000Z",
      run_id: run.id,
      status: "running",
      previous_status: null,
      started_at: deletedAt,
    });
    expect(MachineEvent.parse(ofAMachine?.detail)).toMatchObject({
      machine_id: machine.id,
      name: machine.name,
    });
    expect(JSON.stringify(details)).not.toContain(secret);
  });

  it("has the same id whenever its record is read, and another one for another record", () => {
    const read = (eventID: string) => readEvents(streamRecord(undefined, itemOfRun(run), eventID))[0]?.id;
    expect(read("a")).toBe(read("a"));
    expect(read("a")).not.toBe(read("b"));
  });
});
