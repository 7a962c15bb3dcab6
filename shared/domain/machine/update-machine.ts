import { type Caller, requireScope } from "../access/caller.ts";
import type { Claim } from "../idempotency/claim.ts";
import { InvalidInput } from "../invalid-input.ts";
import type { SecretValues } from "../secret-store.ts";
import { clearReservation } from "./clear-reservation.ts";
import type { Machine, MachineStatus } from "./machine.ts";
import type { MachineDeps } from "./machine-deps.ts";
import type { MachineChange } from "./machine-store.ts";
import { replaceMachineSecret } from "./replace-machine-secret.ts";
import { requireUpdated } from "./update-outcome.ts";

export interface UpdateMachineInput
  extends Partial<
    Pick<
      Machine,
      | "name"
      | "version"
      | "hostname"
      | "osInfo"
      | "isAvailable"
      | "alertsEnabled"
      | "lastSeen"
      | "parameters"
      | "reservedSessionId"
    >
  > {
  readonly machineId: string;
  /** `error` takes the machine out of service, either of the others gives it back. */
  readonly status?: MachineStatus;
  /** Replaces all of them; {} leaves none. */
  readonly sensitiveParameters?: SecretValues;
}

/**
 * Changes the fields given and leaves the others.
 *
 * One conditional write; with secrets a read before, to know which secret they replace.
 *
 * @throws {InvalidInput} for a reservation cleared (which makes available) together with is_available false.
 * @throws {DomainError} `insufficient_scope`, `not_found` (also for another organization's), `machine_reserved`,
 * `conflict` when it is changed all the time, or `rate_limited` (by the secret store).
 * @throws {ClaimTaken}
 */
export async function updateMachine(
  deps: MachineDeps,
  caller: Caller,
  input: UpdateMachineInput,
  claim?: Claim,
): Promise<Machine> {
  requireScope(caller, "write");
  const { machineId, status, sensitiveParameters, ...fields } = input;
  requireConsistent(input);
  const change: MachineChange = {
    ...fields,
    ...(input.reservedSessionId === null ? clearReservation() : {}),
    ...(status === undefined ? {} : { outOfService: status === "error" }),
  };
  const target = { organizationId: caller.organizationId, machineId };
  if (sensitiveParameters !== undefined) {
    return replaceMachineSecret(deps, target, change, sensitiveParameters, claim);
  }
  const outcome = await deps.machines.update(target.organizationId, machineId, change, claim && { claim });
  return requireUpdated(machineId, outcome);
}

function requireConsistent({ reservedSessionId, isAvailable }: UpdateMachineInput): void {
  if (reservedSessionId !== null || isAvailable !== false) return;
  const error = "clearing the reservation makes the machine available; send one of the two";
  throw new InvalidInput([
    { loc: ["body", "is_available"], msg: `Value error, ${error}`, type: "value_error", ctx: { error } },
  ]);
}
