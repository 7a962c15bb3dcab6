import type { AuditEvent as WireEvent } from "../../shared/contract/audit-event.ts";
import type { RequestLog as WireLog } from "../../shared/contract/request-log.ts";
import type { Actor, AuditEvent } from "../../shared/domain/audit/act.ts";
import type { RequestLog } from "../../shared/domain/audit/request-log.ts";

export function presentAuditEvent(event: AuditEvent): WireEvent {
  return {
    id: event.id,
    created_at: event.createdAt,
    ...presentActor(event.actor),
    operation: event.operation,
    // Only this service writes the type, from an operation of the contract.
    resource_type: event.resourceType as WireEvent["resource_type"],
    resource_id: event.resourceId,
    request_id: event.requestId,
  };
}

export function presentRequestLog(line: RequestLog): WireLog {
  return {
    id: line.id,
    machine_id: line.machineId,
    request_id: line.requestId,
    ...presentActor(line.actor),
    method: line.method,
    path: line.path,
    status_code: line.statusCode,
    error_code: line.errorCode,
    created_at: line.createdAt,
    completed_at: line.completedAt,
    duration_ms: line.durationMs,
    request_bytes: line.requestBytes,
    response_bytes: line.responseBytes,
  };
}

function presentActor({ kind, principal, userId, address }: Actor) {
  return {
    // Nobody calls desktops or changes resources without credentials.
    actor_type: kind as WireEvent["actor_type"],
    actor: principal,
    user_id: userId === "" ? null : userId,
    address: address === "" ? null : address,
  };
}
