import type { MachineEvent, RunEvent } from "../../shared/contract/events.ts";
import type { OutgoingEvent } from "../../shared/domain/events/event-publisher.ts";
import type { ServiceEvent } from "../../shared/domain/events/service-event.ts";

/** Names every field, so that no other is exposed. */
export function presentEvent(event: ServiceEvent): OutgoingEvent {
  const { id, type, occurredAt } = event;
  return { id, type, occurredAt, detail: event.subject === "run" ? runDetail(event) : machineDetail(event) };
}

function runDetail({
  id,
  occurredAt,
  run,
  previousStatus,
}: Extract<ServiceEvent, { subject: "run" }>): RunEvent {
  return {
    event_id: id,
    organization_id: run.organizationId,
    occurred_at: occurredAt,
    revision: run.revision,
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

function machineDetail({
  id,
  occurredAt,
  machine,
  previousStatus,
}: Extract<ServiceEvent, { subject: "machine" }>): MachineEvent {
  return {
    event_id: id,
    organization_id: machine.organizationId,
    occurred_at: occurredAt,
    revision: machine.revision,
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
