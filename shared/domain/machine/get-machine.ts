import { type Caller, requireScope } from "../access/caller.ts";
import type { Machine } from "./machine.ts";
import { type MachineDeps, machineNotFound } from "./machine-deps.ts";

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
