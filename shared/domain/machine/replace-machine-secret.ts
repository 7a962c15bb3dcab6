import type { Edit } from "../entity/edition.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import type { OrganizationId } from "../organization-id.ts";
import type { SecretValues } from "../secret-store.ts";
import type { SecretReference } from "../secrets/own-secret.ts";
import { replaceSecret } from "../secrets/replace-secret.ts";
import type { Machine } from "./machine.ts";
import type { MachineDeps } from "./machine-deps.ts";
import type { UpdateMachineOptions, UpdateMachineOutcome } from "./machine-store.ts";
import { requireUpdatedMachine } from "./update-outcome.ts";

export async function replaceMachineSecret(
  deps: MachineDeps,
  {
    organizationId,
    machineId,
    edit,
  }: { readonly organizationId: OrganizationId; readonly machineId: string; readonly edit: Edit },
  write: (secret: SecretReference, options: UpdateMachineOptions) => Promise<UpdateMachineOutcome>,
  values: SecretValues,
  idempotency: Idempotency | undefined,
): Promise<Machine> {
  return replaceSecret<Machine, UpdateMachineOutcome, Machine>(
    deps,
    {
      organizationId,
      owner: { kind: "machine", id: machineId },
      edit,
      find: () => deps.machines.find(organizationId, machineId),
      update: (secret, before, leased) =>
        write(secret, { revision: before.revision, before, ...(leased && { idempotency: leased }) }),
    },
    values,
    idempotency,
    (outcome) => requireUpdatedMachine(machineId, outcome),
  );
}
