import { describe, expect, it } from "vitest";
import { matchesPattern } from "../../infra/local/events/event-pattern.ts";
import type { JsonObject } from "../../infra/local/template/json.ts";
import type { Machine } from "../../shared/domain/machine/machine.ts";
import { connectionItem } from "../../shared/storage/connection/connection-item.ts";
import { executionPut } from "../../shared/storage/execution/execution-item.ts";
import { machineItem } from "../../shared/storage/machine/machine-item.ts";
import { runItem } from "../../shared/storage/run/run-item.ts";
import { scheduleItem } from "../../shared/storage/schedule/schedule-item.ts";
import { readTableChange } from "../../shared/storage/stream/stream-changes.ts";
import type { Item } from "../../shared/storage/table/item.ts";
import { runStatuses } from "../../shared/vocabulary/runs.ts";
import { aConnection, aMachine, anOrganization, aRun } from "../support/builders/entities.ts";
import { aSchedule } from "../support/builders/schedules.ts";
import { streamRecord } from "../support/stream-record.ts";
import { makeServiceApp, resourcesOf, templatesOf } from "./synthesize.ts";

const { service } = templatesOf(makeServiceApp());
const mapping = resourcesOf(service, "AWS::Lambda::EventSourceMapping").find(({ Properties }) =>
  JSON.stringify(Properties.FunctionName).includes("projector"),
);
const texts: readonly string[] = mapping?.Properties.FilterCriteria.Filters.map(
  (filter: { Pattern: string }) => filter.Pattern,
);
const patterns = texts.map((text) => JSON.parse(text) as JsonObject);

function isProjected(before: Item | undefined, after: Item | undefined): boolean {
  const record = JSON.parse(JSON.stringify(streamRecord(before, after))) as JsonObject;
  return patterns.some((pattern) => matchesPattern(pattern, record));
}

const deleted = { deleted_at: "2026-01-15T12:00:00.000Z" };
const connection = { id: "0198c0de-7a1b-7c3d-9e4f-5a6b7c8d9e0f", websocketId: "w=", host: "api/stage" };

describe("the filters of the projector's stream", () => {
  it("are no more and no longer than Lambda takes", () => {
    expect(texts.length).toBeLessThanOrEqual(5);
    for (const text of texts) expect(text.length).toBeLessThanOrEqual(4_096);
  });

  it.each([
    "machine",
    "pool",
    "workflow",
    "workflow_tag",
    "workflow_tag_group",
    "run",
    "attachment",
    "trajectory",
    "schedule",
  ])("let the deletion of a %s through", (kind) => {
    const item = { pk: "p", sk: "#", kind, id: "1" };
    expect(isProjected(item, { ...item, ...deleted })).toBe(true);
  });

  it("let a connection's expiry and a trajectory's replaced object through", () => {
    const connectionRow = { pk: "p", sk: "#", kind: "connection" };
    const trajectory = { pk: "p", sk: "#", kind: "trajectory", trajectory_data: { key: "k" } };
    expect(isProjected(connectionRow, undefined)).toBe(true);
    expect(isProjected(connectionRow, connectionRow)).toBe(false);
    expect(isProjected(trajectory, trajectory)).toBe(true);
  });

  it("let a run's creation and each step of its state through, and nothing else of it", () => {
    const run = aRun();
    expect(isProjected(undefined, runItem(run))).toBe(true);
    for (const before of runStatuses) {
      for (const after of runStatuses) {
        const write = [runItem({ ...run, status: before }), runItem({ ...run, status: after })] as const;
        expect(isProjected(...write), `${before} to ${after}`).toBe(before !== after);
      }
    }
  });

  it("let a run's hold and its end through, and no extension of it", () => {
    const run = aRun();
    const held = { by: { kind: "user", id: "u" }, reason: null, since: "s", until: "u" } as const;
    expect(isProjected(runItem(run), runItem({ ...run, held }))).toBe(true);
    expect(isProjected(runItem({ ...run, held }), runItem(run))).toBe(true);
    expect(isProjected(runItem({ ...run, held }), runItem({ ...run, held: { ...held, until: "v" } }))).toBe(
      false,
    );
    expect(readTableChange(streamRecord(runItem({ ...run, held }), runItem(run)))).toBeUndefined();
  });

  it("let an execution through when a run is given to the service, and nothing else of it", () => {
    const ids = { organizationId: anOrganization(), runId: "r", assignmentId: "a", machineId: "m" };
    const startedAt = "2026-01-15T12:00:00.000Z";
    const begun = { part: 1, arn: null, planKey: null, cursor: null, startedAt };
    const holds = { held: null, callbackId: null, resumed: null, heldMs: 0 };
    const write = executionPut({ ...ids, ...begun, ...holds });
    const item = "item" in write ? write.item : {};
    expect(isProjected(undefined, item)).toBe(true);
    expect(isProjected(item, { ...item, arn: "arn" })).toBe(false);
    expect(isProjected(item, undefined)).toBe(false);
    expect(readTableChange(streamRecord(undefined, item))).toMatchObject({
      kind: "execution_due",
      job: { ...ids, part: 1 },
    });
    expect(readTableChange(streamRecord(item, { ...item, arn: "arn" }))).toBeUndefined();
  });

  const machine = aMachine();
  const connected: Machine = { ...machine, connection };
  const hold = { by: { kind: "user", id: "u" }, reason: null, since: "s", until: "u" } as const;
  const held = { ...hold, runId: null, recordingId: "r" };

  it.each<[string, Machine, Machine]>([
    ["connecting", machine, connected],
    ["disconnecting", connected, machine],
    ["switched off", connected, { ...connected, isAvailable: false }],
    ["switched on", { ...connected, isAvailable: false }, connected],
    ["out of service", connected, { ...connected, outOfService: true }],
    ["back in service", { ...connected, outOfService: true }, connected],
    ["held", connected, { ...connected, held }],
    ["given back", { ...connected, held }, connected],
  ])("let a machine's step through: %s", (_, before, after) => {
    expect(isProjected(undefined, machineItem(before))).toBe(true);
    expect(isProjected(machineItem(before), machineItem(after))).toBe(true);
  });

  it.each<[string, Partial<Machine>]>([
    ["a driver's ping", { lastSeen: "2026-01-15T12:00:00.000Z", revision: 9 }],
    ["another name", { name: "other" }],
    ["a run's idempotency", { currentRunId: "r" }],
    ["a reservation", { reservedSessionId: "s" }],
    ["another connection in place of the one", { connection: { ...connection, id: "other" } }],
  ])("keep %s away", (_, change) => {
    expect(isProjected(machineItem(connected), machineItem({ ...connected, ...change }))).toBe(false);
  });

  it("let a connection through once, when it has taken a machine from another", () => {
    const pending = aConnection(machine);
    const taking = { ...pending, status: "connected", supersededAddress: "192.0.2.7" } as const;
    const heard = { ...taking, lastPing: "2026-01-15T12:00:00.000Z" };
    expect(isProjected(connectionItem(pending), connectionItem(taking))).toBe(true);
    expect(isProjected(connectionItem(taking), connectionItem(heard))).toBe(false);
    expect(isProjected(connectionItem(pending), connectionItem({ ...pending, status: "connected" }))).toBe(
      false,
    );
  });

  it("let a schedule through when it has missed times or is switched off, and not when it starts a run", () => {
    const schedule = aSchedule();
    const fired = { ...schedule, lastOutcome: "started", lastDueAt: deleted.deleted_at } as const;
    const missed = { firstDueAt: "a", lastDueAt: "b", count: 1 };
    const off = { ...schedule, isEnabled: false, disabledReason: "key_revoked" } as const;
    const isThrough = (after: typeof schedule) => isProjected(scheduleItem(schedule), scheduleItem(after));
    expect([fired, { ...schedule, missed }, off].map(isThrough)).toEqual([false, true, true]);
  });

  it("let a call through once, when it is over", () => {
    const call = { pk: "p", sk: "c#1", kind: "call_slot", request_id: "1" };
    const opened = { ...call, lease_until_ms: 1 };
    const over = { ...call, outcome: "200" };
    expect(isProjected(undefined, opened)).toBe(false);
    expect(isProjected(opened, call)).toBe(false);
    expect(isProjected(call, undefined)).toBe(false);
    expect(isProjected(opened, over)).toBe(true);
    expect(isProjected(undefined, over)).toBe(true);
    expect(isProjected(over, undefined)).toBe(false);
    // Its caller died: its record expires. In the release before, another call takes the slot.
    expect(isProjected(opened, undefined)).toBe(true);
    expect(isProjected(opened, { ...opened, request_id: "2" })).toBe(true);
    const slot = { ...opened, kind: "call_place" };
    expect([isProjected(undefined, slot), isProjected(slot, undefined)]).toEqual([false, false]);
  });

  it("keep other kinds with a state away", () => {
    const session = { pk: "p", sk: "#", kind: "session", status: "pending" };
    expect(isProjected(undefined, session)).toBe(false);
    expect(isProjected(session, { ...session, status: "ended" })).toBe(false);
  });
});
