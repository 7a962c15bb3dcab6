import type { DriverCapability } from "../../vocabulary/drivers.ts";
import { forEachBounded } from "../bounded-parallel.ts";
import type { MachineStore } from "../machine/machine-store.ts";
import type { Connection } from "./connection.ts";
import { type RetireConnectionDeps, retireConnection } from "./retire-connection.ts";

export interface MoveDriversDeps extends RetireConnectionDeps {
  readonly machines: Pick<MachineStore, "find">;
}

/** These lists have the ids of machines. */
export interface MovedDrivers {
  readonly moved: readonly string[];
  /** Their run ends first. */
  readonly busy: readonly string[];
  /** Their drivers obey no `moved`. */
  readonly waiting: readonly string[];
}

const capability: DriverCapability = "moved";

/** Sends the connected drivers to another deployment's address. It may be repeated with those that are left. */
export async function moveDrivers(
  deps: MoveDriversDeps,
  connected: readonly Connection[],
  address: string,
): Promise<MovedDrivers> {
  const found = { moved: [] as string[], busy: [] as string[], waiting: [] as string[] };
  const move = async ({ id, organizationId, machineId, websocketId }: Connection): Promise<void> => {
    const machine = await deps.machines.find(organizationId, machineId);
    if (machine?.connection?.id !== id) return;
    if (!machine.capabilities.includes(capability)) found.waiting.push(machineId);
    else if (machine.currentRunId !== null) found.busy.push(machineId);
    else {
      await retireConnection(deps, organizationId, { id, websocketId }, "moved", address);
      found.moved.push(machineId);
    }
  };
  await forEachBounded(connected, move);
  return found;
}
