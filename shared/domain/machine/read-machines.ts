import { type Caller, requireScope } from "../access/caller.ts";
import type { Page, PageRequest } from "../page.ts";
import type { Machine } from "./machine.ts";
import { type MachineDeps, machineNotFound } from "./machine-deps.ts";
import type { MachineFilter } from "./machine-store.ts";

export async function getMachine(
  deps: Pick<MachineDeps, "machines">,
  caller: Caller,
  input: { readonly machineId: string },
): Promise<Machine> {
  requireScope(caller, "read");
  const machine = await deps.machines.find(caller.organizationId, input.machineId);
  if (machine === undefined) throw machineNotFound(input.machineId);
  return machine;
}

export async function listMachines(
  deps: Pick<MachineDeps, "machines">,
  caller: Caller,
  input: { readonly filter: MachineFilter; readonly page: PageRequest },
): Promise<Page<Machine>> {
  requireScope(caller, "read");
  return deps.machines.list(caller.organizationId, input.filter, input.page);
}
