import {
  machineEventTypesOf,
  runEventTypesOf,
  scheduleEventTypesOf,
} from "../../domain/events/events-of-change.ts";
import type { MachineState, ServiceEvent } from "../../domain/events/service-event.ts";
import { machineStatus } from "../../domain/machine/machine.ts";
import type { Run } from "../../domain/run/run.ts";
import { supersededEventType } from "../../vocabulary/events.ts";
import { connectionRow } from "../connection/connection-item.ts";
import { machineRow } from "../machine/machine-item.ts";
import { runRow } from "../run/run-item.ts";
import { scheduleRow } from "../schedule/schedule-item.ts";
import type { Item } from "../table/item.ts";
import { imagesOf, type TableStreamRecord } from "./stream-changes.ts";

/** Other invalid fields of a row do not delay its events. */
const toldRun = runRow.pick(
  "id",
  "organizationId",
  "userId",
  "workflowId",
  "isWebhooksEnabled",
  "machineId",
  "poolIds",
  "sessionId",
  "status",
  "held",
  "createdAt",
  "startedAt",
  "endedAt",
  "deletedAt",
  "revision",
);

const toldMachine = machineRow.pick(
  "id",
  "organizationId",
  "name",
  "isAvailable",
  "alertsEnabled",
  "outOfService",
  "connection",
  "reservedSessionId",
  "poolIds",
  "createdAt",
  "deletedAt",
  "revision",
);

const toldSchedule = scheduleRow.pick(
  "id",
  "organizationId",
  "userId",
  "name",
  "workflowId",
  "isEnabled",
  "disabledReason",
  "missed",
  "createdAt",
  "deletedAt",
  "revision",
);

const toldConnection = connectionRow.pick(
  "id",
  "organizationId",
  "machineId",
  "ipAddress",
  "supersededAddress",
);

/**
 * An event's id is derived from the record's, which stays the same when the record is read again.
 *
 * Source: https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_streams_Record.html
 */
export function readEvents(record: TableStreamRecord): readonly ServiceEvent[] {
  const { before, after } = imagesOf(record);
  if (after === undefined) return [];
  const told = (type: string) => ({ id: `${record.eventID ?? ""}:${type}`, occurredAt: timestampOf(record) });
  if (after.kind === "run") {
    const states = { before: before && toldRun.parse(before), after: toldRun.parse(after) };
    const previousStatus = states.before?.status ?? null;
    return runEventTypesOf(states.before, states.after).map((type) => {
      return { ...told(type), subject: "run", type, run: states.after, previousStatus };
    });
  }
  if (after.kind === "machine") {
    const states = { before: before && machineState(before), after: machineState(after) };
    const previousStatus = states.before?.status ?? null;
    return machineEventTypesOf(states.before, states.after).map((type) => {
      return { ...told(type), subject: "machine", type, machine: states.after, previousStatus };
    });
  }
  if (after.kind === "schedule") {
    const schedule = toldSchedule.parse(after);
    return scheduleEventTypesOf(before && toldSchedule.parse(before), schedule).map((type) => {
      return { ...told(type), subject: "schedule", type, schedule };
    });
  }
  if (after.kind === "connection" && before !== undefined) {
    const connection = toldConnection.parse(after);
    if (connection.supersededAddress === null || before.superseded_address !== undefined) return [];
    return [{ ...told(supersededEventType), subject: "connection", type: supersededEventType, connection }];
  }
  return [];
}

/** A record that was reduced to the fields of events has no whole run. */
export function readRun(record: TableStreamRecord): Run | undefined {
  const { after } = imagesOf(record);
  return after?.kind === "run" && after.input_values !== undefined ? runRow.parse(after) : undefined;
}

export function eventAttributes(): readonly string[] {
  return [toldRun, toldMachine, toldSchedule, toldConnection].flatMap((told) => told.attributes());
}

function timestampOf({ dynamodb }: TableStreamRecord): string {
  return new Date((dynamodb?.ApproximateCreationDateTime ?? 0) * 1_000).toISOString();
}

function machineState(item: Item): MachineState {
  const { outOfService, connection, ...told } = toldMachine.parse(item);
  return { ...told, status: machineStatus({ outOfService, connection }) };
}
