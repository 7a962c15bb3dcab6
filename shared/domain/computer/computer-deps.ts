import type { Clock } from "../clock.ts";
import type { FileStore } from "../file-store.ts";
import type { CallDriverDeps } from "../tunnel/call-driver.ts";
import type { FindDesktopDeps } from "./get-desktop.ts";

export interface ComputerDeps extends CallDriverDeps, FindDesktopDeps {
  readonly files: FileStore;
  readonly clock: Clock;
}
