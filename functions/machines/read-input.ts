import type { CreateMachineBody, MachinesQuery, UpdateMachineBody } from "../../shared/contract/machine.ts";
import type { CreateMachineInput } from "../../shared/domain/machine/create-machine.ts";
import type { MachineFilter } from "../../shared/domain/machine/machine-store.ts";
import type { UpdateMachineInput } from "../../shared/domain/reservation/update-machine.ts";
import { given, inCamelCase } from "../../shared/http/request/given.ts";

export function createInput(body: CreateMachineBody): CreateMachineInput {
  return { ...settings(body), fingerprint: body.fingerprint };
}

export function updateInput(machineId: string, body: UpdateMachineBody): UpdateMachineInput {
  return { ...settings(body), machineId };
}

function settings<Body extends UpdateMachineBody>(body: Body) {
  const {
    machine_parameters: parameters,
    machine_sensitive_parameters: sensitiveParameters,
    ...fields
  } = body;
  return given({ ...inCamelCase(fields), parameters, sensitiveParameters });
}

export function machineFilter(query: MachinesQuery): MachineFilter {
  const { search, name, status, metadata } = query;
  return given({
    search,
    name,
    status,
    metadata,
    createdAtFrom: query.created_at_from,
    createdAtTo: query.created_at_to,
  });
}
