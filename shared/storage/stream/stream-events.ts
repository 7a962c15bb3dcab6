import * as z from "zod";
import { machineEventTypesOf, runEventTypesOf } from "../../domain/events/events-of-change.ts";
import type { MachineState, RunState, ServiceEvent } from "../../domain/events/service-event.ts";
import { machineStatus } from "../../domain/machine/machine.ts";
import { runStatuses } from "../../domain/run/run-status.ts";
import type { Item } from "../table/item.ts";
import { imagesOf, type TableStreamRecord } from "./stream-changes.ts";

/** No more than an event tells: whatever else is wrong with a row does not keep the events after it from going out. */
const RunRow = z.object({
  id: z.string(),
  organization_id: z.string(),
  user_id: z.string(),
  workflow_id: z.string(),
  machine_id: z.string().optional(),
  pool_ids: z.array(z.string()),
  session_id: z.string().optional(),
  status: z.enum(runStatuses),
  created_at: z.string(),
  started_at: z.string().optional(),
  ended_at: z.string().optional(),
  deleted_at: z.string().optional(),
  revision: z.number(),
});

const MachineRow = z.object({
  id: z.string(),
  organization_id: z.string(),
  name: z.string(),
  is_available: z.boolean(),
  alerts_enabled: z.boolean(),
  out_of_service: z.boolean(),
  connection_id: z.string().optional(),
  reserved_session_id: z.string().optional(),
  pool_ids: z.array(z.string()),
  created_at: z.string(),
  deleted_at: z.string().optional(),
  revision: z.number(),
});

/**
 * What a record of the stream is to customers: none, one, or a few events when a write changed several things.
 *
 * An event's id is made of the record's, which stays the same when the record is read again.
 *
 * Source: https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_streams_Record.html
 */
export function readEvents(record: TableStreamRecord): readonly ServiceEvent[] {
  const { before, after } = imagesOf(record);
  if (after === undefined) return [];
  const told = (type: string) => ({ id: `${record.eventID ?? ""}:${type}`, occurredAt: momentOf(record) });
  if (after.kind === "run") {
    const states = { before: before && runState(before), after: runState(after) };
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
  return [];
}

function momentOf({ dynamodb }: TableStreamRecord): string {
  return new Date((dynamodb?.ApproximateCreationDateTime ?? 0) * 1_000).toISOString();
}

function runState(item: Item): RunState {
  const row = RunRow.parse(item);
  return {
    id: row.id,
    organizationId: row.organization_id,
    userId: row.user_id,
    workflowId: row.workflow_id,
    machineId: row.machine_id ?? null,
    poolIds: row.pool_ids,
    sessionId: row.session_id ?? null,
    status: row.status,
    createdAt: row.created_at,
    startedAt: row.started_at ?? null,
    endedAt: row.ended_at ?? null,
    deletedAt: row.deleted_at ?? null,
    revision: row.revision,
  };
}

function machineState(item: Item): MachineState {
  const row = MachineRow.parse(item);
  const connection =
    row.connection_id === undefined ? null : { id: row.connection_id, websocketId: "", host: "" };
  return {
    id: row.id,
    organizationId: row.organization_id,
    name: row.name,
    status: machineStatus({ outOfService: row.out_of_service, connection }),
    isAvailable: row.is_available,
    alertsEnabled: row.alerts_enabled,
    reservedSessionId: row.reserved_session_id ?? null,
    poolIds: row.pool_ids,
    createdAt: row.created_at,
    deletedAt: row.deleted_at ?? null,
    revision: row.revision,
  };
}
