import { type RetireConnectionDeps, retireConnection } from "../connection/retire-connection.ts";
import type { MachineStore } from "../machine/machine-store.ts";
import type { MembershipStore } from "../pool/membership-store.ts";
import type { SecretStore } from "../secret-store.ts";

export interface FinishMachineDeletionDeps extends RetireConnectionDeps {
  readonly machines: Pick<MachineStore, "findDeleted" | "remove">;
  readonly memberships: Pick<MembershipStore, "leaveAllPools">;
  readonly secrets: Pick<SecretStore, "remove">;
}

/**
 * Does what a deletion left for later: ends the machine's connection, takes it out of its pools, deletes
 * its secret, and removes its row.
 *
 * The row goes last, and every step can be done again, so whoever finds the row can begin from the top.
 *
 * @returns false when there was nothing left to do.
 */
export async function finishMachineDeletion(
  deps: FinishMachineDeletionDeps,
  organizationId: string,
  machineId: string,
): Promise<boolean> {
  const machine = await deps.machines.findDeleted(organizationId, machineId);
  if (!machine) return false;
  if (machine.connection) await retireConnection(deps, organizationId, machine.connection, "deleted");
  await deps.memberships.leaveAllPools(organizationId, machineId);
  if (machine.secretName !== null) await deps.secrets.remove(machine.secretName);
  await deps.machines.remove(organizationId, machineId);
  return true;
}
