import { type RetireConnectionDeps, retireConnection } from "../connection/retire-connection.ts";
import type { Machine } from "../machine/machine.ts";
import type { MachineStore } from "../machine/machine-store.ts";
import type { OrganizationId } from "../organization-id.ts";
import type { MembershipStore } from "../pool/membership-store.ts";
import { type EndRunDeps, endRun } from "../run/end-run.ts";
import { type EndWaitingDeps, endSession, endWaiting } from "../run/waiting/end-waiting.ts";
import type { SecretStore } from "../secret-store.ts";
import { finishDeletionOf } from "./finish-deletion.ts";

export type FinishMachineDeletionDeps = RetireConnectionDeps &
  EndRunDeps &
  EndWaitingDeps & {
    readonly machines: Pick<MachineStore, "findDeleted" | "remove">;
    readonly memberships: Pick<MembershipStore, "leaveAllPools">;
    readonly secrets: Pick<SecretStore, "remove">;
  };

const end = { status: "error", reason: "its machine was deleted" } as const;

export async function finishMachineDeletion(
  deps: FinishMachineDeletionDeps,
  organizationId: OrganizationId,
  machineId: string,
): Promise<boolean> {
  return await finishDeletionOf(deps.machines, organizationId, machineId, async (machine) => {
    await endItsRuns(deps, machine);
    if (machine.connection) await retireConnection(deps, organizationId, machine.connection, "deleted");
    await deps.memberships.leaveAllPools(organizationId, machineId);
    if (machine.secretName !== null) await deps.secrets.remove(machine.secretName);
  });
}

/** The current run ends last: its end removes the record of the session that the machine was reserved for. */
async function endItsRuns(
  deps: FinishMachineDeletionDeps,
  { organizationId, id, currentRunId, reservedSessionId }: Machine,
): Promise<void> {
  await endWaiting(deps, organizationId, { kind: "machine", machineId: id }, end);
  if (reservedSessionId !== null) {
    // This comes before the session's end, because the matcher cancels what waits in an ended one.
    await endWaiting(deps, organizationId, { kind: "session", sessionId: reservedSessionId }, end);
    await endSession(deps, organizationId, reservedSessionId, end);
  }
  if (currentRunId !== null) await endRun(deps, organizationId, currentRunId, end);
}
