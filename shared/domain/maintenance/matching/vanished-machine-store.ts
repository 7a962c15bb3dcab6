import type { Machine } from "../../machine/machine.ts";

/** Machines that have lost their connection while they had a run are due since then, whatever has happened since. */
export interface VanishedMachineStore {
  /** Due since that time or earlier, of all organizations, longest first; of one shard where it is given. */
  listDue(untilMs: number, limit: number, shard?: number): Promise<readonly Machine[]>;
  /** Ends the run as `error`; false unless the machine has stayed disconnected and still has that run. */
  endRun(machine: Machine, end: { readonly reason: string; readonly endedAt: string }): Promise<boolean>;
  /**
   * Clears the due mark, or postpones it after another disconnect. @param isOver the grace was over when it was read
   */
  settle(machine: Machine, isOver: boolean): Promise<void>;
}
