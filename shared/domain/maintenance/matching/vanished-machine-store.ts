import type { Machine } from "../../machine/machine.ts";

/** Machines that have lost their connection are due since then, whatever has become of them. */
export interface VanishedMachineStore {
  /** Due since that moment or before, of all organizations, the longest first. */
  listDue(untilMs: number, limit: number): Promise<readonly Machine[]>;
  /**
   * Ends the run that the machine has as `error`, in one transaction which requires that the machine has been away all
   * the time since it was read. False when it was not, or has no such run any more.
   */
  endRun(machine: Machine, end: { readonly reason: string; readonly endedAt: string }): Promise<boolean>;
  /**
   * The machine, as it was read, is due no more, or later: a connected one or one without a run is not, one that was lost
   * anew is due since then. Nothing when it has changed.
   *
   * @param isOver whether it was looked at long enough after it was lost.
   */
  settle(machine: Machine, isOver: boolean): Promise<void>;
}
