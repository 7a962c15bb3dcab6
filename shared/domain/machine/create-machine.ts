import { type Caller, requireScope } from "../access/caller.ts";
import { DomainError } from "../errors.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import type { SecretValues } from "../secret-store.ts";
import { withSecrets, writeSecret } from "../secrets/own-secret.ts";
import { type Machine, type MachineSettings, newMachine } from "./machine.ts";
import type { MachineDeps } from "./machine-deps.ts";

export interface CreateMachineInput
  extends Pick<Machine, "fingerprint">,
    Partial<Omit<MachineSettings, "reservedSessionId">> {
  readonly sensitiveParameters?: SecretValues;
}

/** A crash between the two writes leaves an unnamed secret. @throws {DomainError} `fingerprint_taken` */
export async function createMachine(
  deps: MachineDeps,
  caller: Caller,
  input: CreateMachineInput,
  idempotency?: Idempotency,
): Promise<Machine> {
  requireScope(caller, "write");
  const { sensitiveParameters = {}, ...known } = input;
  const { organizationId, userId } = caller;
  if (Object.keys(sensitiveParameters).length === 0) {
    const id = idempotency?.ids[0] ?? deps.ids.uuid7();
    const machine = newMachine({ ...known, id, organizationId, userId });
    return store(deps, machine, idempotency);
  }
  return withSecrets(deps, idempotency, async (leased, abandon) => {
    const [id, secretId] = leased?.ids ?? [deps.ids.uuid7(), deps.ids.uuid7()];
    const place = { organizationId, owner: { kind: "machine" as const, id }, id: secretId };
    const secret = await writeSecret(deps, place, sensitiveParameters);
    const machine = newMachine({ ...known, ...secret, id, organizationId, userId });
    return store(deps, machine, leased, () => abandon(secret.secretName));
  });
}

async function store(
  deps: MachineDeps,
  machine: Machine,
  idempotency: Idempotency | undefined,
  whenTaken?: () => void,
): Promise<Machine> {
  const outcome = await deps.machines.create(machine, idempotency);
  if (outcome.kind === "created") return machine;
  whenTaken?.();
  throw new DomainError(
    "fingerprint_taken",
    `the organization has a machine with the fingerprint ${machine.fingerprint} already`,
    { details: { machine_id: outcome.machineId } },
  );
}
