import type { Machine } from "../../machine/machine.ts";

/** Machines that lost their connection while they had a run are due since then, whatever has happened since. */
export interface VanishedMachineStore {
  /** Lists those of all organizations, or of one shard, that are due since that time or earlier, longest first. */
  listDue(untilMs: number, limit: number, shard?: number): Promise<readonly Machine[]>;
  /** Ends the run as `error`. Returns false unless the machine has stayed disconnected and still has that run. */
  endRun(machine: Machine, end: { readonly reason: string; readonly endedAt: string }): Promise<boolean>;
  /** Clears the due mark, or postpones it after another disconnect. @param isOver says whether the grace was over */
  settle(machine: Machine, isOver: boolean): Promise<void>;
}
