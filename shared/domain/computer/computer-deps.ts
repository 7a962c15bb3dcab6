import { type Caller, requireScope } from "../access/caller.ts";
import { DomainError } from "../errors.ts";
import type { FileStore } from "../file-store.ts";
import type { Machine } from "../machine/machine.ts";
import type { MachineStore } from "../machine/machine-store.ts";
import type { CallDriverDeps } from "../tunnel/call-driver.ts";

export interface ComputerDeps extends CallDriverDeps {
  readonly machines: MachineStore;
  readonly files: FileStore;
}

/** Reading the desktop needs `read`, acting `write`; `worker` may do both, since an executor works at the desktop. */
export type Access = "look" | "act";

/**
 * The machine that a caller wants to read or act on.
 *
 * @throws {DomainError} `insufficient_scope`, or `not_found`, also for another organization's.
 */
export async function machineFor(
  deps: Pick<ComputerDeps, "machines">,
  caller: Caller,
  machineId: string,
  access: Access,
): Promise<Machine> {
  requireScope(caller, access === "look" ? "read" : "write", "worker");
  const machine = await deps.machines.find(caller.organizationId, machineId);
  if (!machine) throw new DomainError("not_found", `there is no machine ${machineId}`);
  return machine;
}
