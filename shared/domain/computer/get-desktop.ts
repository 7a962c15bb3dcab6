import { type Caller, requireScope } from "../access/caller.ts";
import { DomainError } from "../errors.ts";
import type { Machine } from "../machine/machine.ts";
import type { ComputerDeps } from "./computer-deps.ts";

/**
 * Looking at the screen needs `read`, acting and reading files `write`; `worker` may do both, since an executor works at
 * the desktop.
 */
export type DesktopAccess = "look" | "act";

/**
 * The machine that a caller wants to look at or act on.
 *
 * @throws {DomainError} `insufficient_scope`, or `not_found`, also for another organization's.
 */
export async function getDesktop(
  deps: Pick<ComputerDeps, "machines">,
  caller: Caller,
  machineId: string,
  access: DesktopAccess,
): Promise<Machine> {
  requireScope(caller, access === "look" ? "read" : "write", "worker");
  const machine = await deps.machines.find(caller.organizationId, machineId);
  if (!machine) throw new DomainError("not_found", `there is no machine ${machineId}`);
  return machine;
}
