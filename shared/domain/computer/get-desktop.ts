import { type Caller, requireScope } from "../access/caller.ts";
import { DomainError } from "../errors.ts";
import type { MachineStore } from "../machine/machine-store.ts";
import type { OrganizationId } from "../organization-id.ts";
import type { DriverCall } from "../tunnel/call-driver.ts";

/** Looking at the screen needs `read`, acting and reading files `write`; an executor's `worker` allows both. */
export type DesktopAccess = "look" | "act";

export interface FindDesktopDeps {
  readonly machines: Pick<MachineStore, "findWithCalls">;
  readonly organizationCallsMax: number;
}

export type Desktop = Pick<DriverCall, "machine" | "isOrganizationBusy">;

/** @throws {DomainError} `insufficient_scope`, or `not_found`, also for another organization's machine. */
export async function getDesktop(
  deps: FindDesktopDeps,
  caller: Caller,
  machineId: string,
  access: DesktopAccess,
): Promise<Desktop> {
  requireScope(caller, access === "look" ? "read" : "write", "worker");
  const desktop = await findDesktop(deps, caller.organizationId, machineId);
  if (!desktop) throw new DomainError("not_found", `there is no machine ${machineId}`);
  return desktop;
}

export async function findDesktop(
  deps: FindDesktopDeps,
  organizationId: OrganizationId,
  machineId: string,
): Promise<Desktop | undefined> {
  const found = await deps.machines.findWithCalls(organizationId, machineId);
  return (
    found && { machine: found.machine, isOrganizationBusy: found.callsUnderWay >= deps.organizationCallsMax }
  );
}
