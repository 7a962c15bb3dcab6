import type {
  MachineEvent,
  MachineSupersededEvent,
  RunEvent,
  ScheduleEvent,
} from "../../shared/contract/events.ts";
import type { OutgoingEvent } from "../../shared/domain/events/event-publisher.ts";
import type { ServiceEvent } from "../../shared/domain/events/service-event.ts";

export type About<Subject> = Extract<ServiceEvent, { readonly subject: Subject }>;

export function presentEvent(event: ServiceEvent): OutgoingEvent {
  const { id, type, occurredAt } = event;
  return { id, type, occurredAt, detail: detailOf(event) };
}

function detailOf(event: ServiceEvent): OutgoingEvent["detail"] {
  switch (event.subject) {
    case "run":
      return runDetail(event);
    case "machine":
      return machineDetail(event);
    case "schedule":
      return scheduleDetail(event);
    case "connection":
      return supersededDetail(event);
  }
}

export function supersededDetail({
  id,
  occurredAt,
  connection,
}: About<"connection">): MachineSupersededEvent {
  return {
    event_id: id,
    organization_id: connection.organizationId,
    occurred_at: occurredAt,
    machine_id: connection.machineId,
    connection_id: connection.id,
    address: connection.ipAddress,
    previous_address: connection.supersededAddress ?? "",
  };
}

function runDetail(event: About<"run">): RunEvent {
  const { run, previousStatus } = event;
  return {
    ...about(event, run),
    run_id: run.id,
    workflow_id: run.workflowId,
    machine_id: run.machineId,
    pool_ids: [...run.poolIds],
    session_id: run.sessionId,
    user_id: run.userId,
    status: run.status,
    previous_status: previousStatus,
    created_at: run.createdAt,
    started_at: run.startedAt,
    ended_at: run.endedAt,
  };
}

export function machineDetail(event: About<"machine">): MachineEvent {
  const { machine, previousStatus } = event;
  return {
    ...about(event, machine),
    machine_id: machine.id,
    name: machine.name,
    status: machine.status,
    previous_status: previousStatus,
    is_available: machine.isAvailable,
    alerts_enabled: machine.alertsEnabled,
    reserved_session_id: machine.reservedSessionId,
    pool_ids: [...machine.poolIds],
    created_at: machine.createdAt,
  };
}

export function scheduleDetail(event: About<"schedule">): ScheduleEvent {
  const { schedule, type } = event;
  const { missed } = schedule;
  const isMissed = type === "schedule.missed";
  return {
    ...about(event, schedule),
    schedule_id: schedule.id,
    name: schedule.name,
    workflow_id: schedule.workflowId,
    user_id: schedule.userId,
    is_enabled: schedule.isEnabled,
    disabled_reason: isMissed ? null : schedule.disabledReason,
    missed:
      isMissed && missed !== null
        ? { first_due_at: missed.firstDueAt, last_due_at: missed.lastDueAt, count: missed.count }
        : null,
    created_at: schedule.createdAt,
  };
}

function about(
  { id, occurredAt }: ServiceEvent,
  { organizationId, revision }: { readonly organizationId: string; readonly revision: number },
) {
  return { event_id: id, organization_id: organizationId, occurred_at: occurredAt, revision };
}
