import type { Clock } from "../clock.ts";
import type { SecretDeps } from "../secrets/own-secret.ts";
import type { MachineStore } from "./machine-store.ts";

export interface MachineDeps extends SecretDeps {
  readonly machines: MachineStore;
  readonly clock: Clock;
}
