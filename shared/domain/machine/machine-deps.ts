import type { Clock } from "../clock.ts";
import { DomainError } from "../errors.ts";
import type { SecretDeps } from "../secrets/own-secret.ts";
import type { MachineStore } from "./machine-store.ts";

export interface MachineDeps extends SecretDeps {
  readonly machines: MachineStore;
  readonly clock: Clock;
}

/** A missing machine and another organization's get the same error, so that ids cannot be probed. */
export function machineNotFound(machineId: string): DomainError {
  return new DomainError("not_found", `there is no machine ${machineId}`);
}
