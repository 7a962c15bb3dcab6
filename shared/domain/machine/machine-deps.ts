import type { Clock, Ids } from "../clock.ts";
import { DomainError } from "../errors.ts";
import type { IdempotencyStore } from "../idempotency/idempotency.ts";
import type { Logger } from "../logger.ts";
import type { SecretStore } from "../secret-store.ts";
import type { MachineStore } from "./machine-store.ts";

export interface MachineDeps {
  readonly machines: MachineStore;
  readonly secrets: SecretStore;
  readonly idempotencyRecords: IdempotencyStore;
  readonly clock: Pick<Clock, "now">;
  readonly ids: Ids;
  readonly logger: Logger;
}

/** The same for a missing machine and for another organization's, so that ids cannot be probed. */
export function machineNotFound(machineId: string): DomainError {
  return new DomainError("not_found", `there is no machine ${machineId}`);
}
