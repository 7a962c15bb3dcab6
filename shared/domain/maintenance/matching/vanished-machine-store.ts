import type { Machine } from "../../machine/machine.ts";

/** Machines that have lost their connection while they had a run are due since then, whatever has happened since. */
export interface VanishedMachineStore {
  /** Due since that time or earlier, of all organizations, longest first; of one shard where it is given. */
  listDue(untilMs: number, limit: number, shard?: number): Promise<readonly Machine[]>;
  /**
   * Ends the machine's run as `error`, in one transaction which requires that the machine has stayed disconnected since
   * it was read. False when it has not, or has no such run any more.
   */
  endRun(machine: Machine, end: { readonly reason: string; readonly endedAt: string }): Promise<boolean>;
  /**
   * Clears or postpones the machine's due mark: cleared when it is connected or has no run, postponed when it was
   * disconnected again since. No-op when the machine has changed since it was read.
   *
   * @param isOver whether it was read long enough after the disconnect.
   */
  settle(machine: Machine, isOver: boolean): Promise<void>;
}
