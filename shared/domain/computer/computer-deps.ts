import type { FileStore } from "../file-store.ts";
import type { MachineStore } from "../machine/machine-store.ts";
import type { CallDriverDeps } from "../tunnel/call-driver.ts";

export interface ComputerDeps extends CallDriverDeps {
  readonly machines: MachineStore;
  readonly files: FileStore;
}
