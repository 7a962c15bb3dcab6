import type { MachineStatus } from "../../vocabulary/machines.ts";
import { type Caller, requireScope } from "../access/caller.ts";
import type { Edit } from "../entity/edition.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import { withLease } from "../idempotency/with-lease.ts";
import { InvalidInput, valueError } from "../invalid-input.ts";
import type { Machine, MachineSettings } from "../machine/machine.ts";
import type { MachineDeps } from "../machine/machine-deps.ts";
import type { MachineChange, UpdateMachineOptions, UpdateMachineOutcome } from "../machine/machine-store.ts";
import { replaceMachineSecret } from "../machine/replace-machine-secret.ts";
import { requireUpdatedMachine } from "../machine/update-outcome.ts";
import type { OrganizationId } from "../organization-id.ts";
import type { SecretValues } from "../secret-store.ts";
import { beginClearing, type ClearReservationDeps, updateCleared } from "./clear-reservation.ts";
import { type ReserveMachineDeps, withReservation } from "./reserve-machine.ts";

export interface UpdateMachineInput
  extends Partial<Omit<MachineSettings, "metadata">>,
    Pick<MachineChange, "metadata">,
    Edit {
  readonly machineId: string;
  /** `error` takes the machine out of service, and each other status puts it back. */
  readonly status?: MachineStatus;
  /** They replace all earlier ones; {} removes all. */
  readonly sensitiveParameters?: SecretValues;
}

export type UpdateMachineDeps = MachineDeps & ClearReservationDeps & ReserveMachineDeps;

type Write = (change: MachineChange, options: UpdateMachineOptions) => Promise<UpdateMachineOutcome>;

/**
 * Clearing a reservation takes several steps under a lease, so that a repeat after the response cancels nothing queued
 * since.
 *
 * @throws {InvalidInput} for a cleared reservation (which makes available) together with is_available false, or for too
 * many pairs of metadata.
 * @throws {DomainError} `not_found`, `changed_meanwhile`, `machine_reserved`, `session_ended`, `conflict` when the
 * session has another machine, or `rate_limited` by the secret store.
 */
export async function updateMachine(
  deps: UpdateMachineDeps,
  caller: Caller,
  input: UpdateMachineInput,
  idempotency?: Idempotency,
): Promise<Machine> {
  requireScope(caller, "write");
  requireConsistent(input);
  const { organizationId } = caller;
  const { machineId, reservedSessionId } = input;
  const target = { organizationId, machineId };
  if (reservedSessionId === null) {
    return await withLease(deps, idempotency, async (leased) => {
      const since = await beginClearing(deps, target, { ifEdition: input.ifEdition });
      const write: Write = (change, options) => updateCleared(deps, target, since, change, options);
      return await change(deps, target, input, write, leased);
    });
  }
  const plain: Write = (changed, options) =>
    deps.machines.update(organizationId, machineId, changed, options);
  if (reservedSessionId === undefined) return await change(deps, target, input, plain, idempotency);
  const wish = { ...target, sessionId: reservedSessionId };
  const reserving: Write = (changed, options) =>
    withReservation(deps, wish, (reservation) => plain(changed, { ...options, reservation }));
  return await change(deps, target, input, reserving, idempotency);
}

async function change(
  deps: UpdateMachineDeps,
  target: { readonly organizationId: OrganizationId; readonly machineId: string },
  input: UpdateMachineInput,
  write: Write,
  idempotency: Idempotency | undefined,
): Promise<Machine> {
  const { machineId, status, sensitiveParameters, reservedSessionId, ifEdition, ...fields } = input;
  const edit = { ifEdition };
  const changed: MachineChange = {
    ...fields,
    ...(typeof reservedSessionId === "string" ? { reservedSessionId } : {}),
    ...(status === undefined ? {} : { outOfService: status === "error" }),
  };
  if (sensitiveParameters === undefined) {
    return requireUpdatedMachine(
      machineId,
      await write(changed, { edit, ...(idempotency && { idempotency }) }),
    );
  }
  const update: Write = (secret, options) => write({ ...changed, ...secret }, { ...options, edit });
  return await replaceMachineSecret(deps, { ...target, edit }, update, sensitiveParameters, idempotency);
}

function requireConsistent({ reservedSessionId, isAvailable }: UpdateMachineInput): void {
  if (reservedSessionId !== null || isAvailable !== false) return;
  const error = "clearing the reservation makes the machine available; send one of the two";
  throw new InvalidInput([valueError(["body", "is_available"], error)]);
}
