import { type Caller, requireScope } from "../access/caller.ts";
import type { Clock } from "../clock.ts";
import { DomainError } from "../errors.ts";
import { isHolder, isInForce, machineHeld } from "../hold/hold.ts";
import type { Machine } from "../machine/machine.ts";
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

/** @throws {DomainError} `insufficient_scope`, `machine_held`, or `not_found`, also for another organization's machine. */
export async function getDesktop(
  deps: FindDesktopDeps & { readonly clock: Pick<Clock, "now"> },
  caller: Caller,
  machineId: string,
  access: DesktopAccess,
): Promise<Desktop> {
  requireScope(caller, access === "look" ? "read" : "write", "worker");
  const desktop = await findDesktop(deps, caller.organizationId, machineId);
  if (!desktop) throw new DomainError("not_found", `there is no machine ${machineId}`);
  if (access === "act") requireHolder(desktop.machine, caller, deps.clock.now());
  return desktop;
}

/**
 * A held machine takes what acts from its holder alone; everybody may look. The executor's own calls need no check: the
 * record of each step's intent is refused while the run is held.
 */
function requireHolder({ id, held }: Machine, caller: Caller, nowMs: number): void {
  if (held === null || caller.kind === "service" || !isInForce(held, nowMs)) return;
  if (!isHolder(held, caller)) throw machineHeld(held, `the machine ${id}`);
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
