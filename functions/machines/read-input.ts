import type { CreateMachineBody, MachinesQuery, UpdateMachineBody } from "../../shared/contract/machine.ts";
import type { CreateMachineInput } from "../../shared/domain/machine/create-machine.ts";
import type { MachineFilter } from "../../shared/domain/machine/machine-store.ts";
import type { UpdateMachineInput } from "../../shared/domain/machine/update-machine.ts";

type Given<T> = { [Name in keyof T]?: Exclude<T[Name], undefined> };

/** Drops fields that were not sent, so that absent and undefined cannot differ. */
function given<T extends object>(fields: T): Given<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<T>;
}

export function createInput(body: CreateMachineBody): CreateMachineInput {
  const { fingerprint, name, version, hostname } = body;
  return {
    fingerprint,
    ...given({
      name,
      version,
      hostname,
      osInfo: body.os_info,
      parameters: body.machine_parameters,
      sensitiveParameters: body.machine_sensitive_parameters,
    }),
  };
}

export function updateInput(machineId: string, body: UpdateMachineBody): UpdateMachineInput {
  const { name, version, hostname, status } = body;
  return {
    machineId,
    ...given({
      name,
      version,
      hostname,
      status,
      osInfo: body.os_info,
      isAvailable: body.is_available,
      alertsEnabled: body.alerts_enabled,
      lastSeen: body.last_seen,
      reservedSessionId: body.reserved_session_id,
      parameters: body.machine_parameters,
      sensitiveParameters: body.machine_sensitive_parameters,
    }),
  };
}

export function machineFilter(query: MachinesQuery): MachineFilter {
  const { search, name, status } = query;
  return given({
    search,
    name,
    status,
    createdAtFrom: query.created_at_from,
    createdAtTo: query.created_at_to,
  });
}
