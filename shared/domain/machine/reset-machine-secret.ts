import { type Caller, requireScope } from "../access/caller.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import type { Machine } from "./machine.ts";
import type { MachineDeps } from "./machine-deps.ts";
import { requireUpdatedMachine } from "./update-outcome.ts";

/** The next driver with the machine's key and fingerprint becomes its driver, as after a reinstallation. */
export async function resetMachineSecret(
  deps: Pick<MachineDeps, "machines">,
  caller: Caller,
  { machineId }: { readonly machineId: string },
  idempotency?: Idempotency,
): Promise<Machine> {
  requireScope(caller, "write");
  const outcome = await deps.machines.update(
    caller.organizationId,
    machineId,
    { secretDigest: null, pendingSecretDigest: null },
    { ...(idempotency && { idempotency }) },
  );
  return requireUpdatedMachine(machineId, outcome);
}
