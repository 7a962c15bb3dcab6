import type { Machine } from "../../machine/machine.ts";
import type { IdleMachine, WaitingRunEntry } from "../../matching/queue-entry.ts";
import type { Session } from "../../run/run.ts";

/** What was read of a long listing, and where it goes on; null: it begins anew. */
export interface SweptPage<T> {
  readonly items: readonly T[];
  readonly position: string | null;
}

/** A machine that has a connection, with its idle row. */
export interface LiveMachine {
  readonly machine: Machine;
  readonly idle: IdleMachine | undefined;
}

/** Queues, machines and sessions of all organizations, for whoever repairs what the stream has missed. */
export interface MatchSweepStore {
  /** Runs that have waited since that moment or longer, each with the place that it should have. */
  waitingRuns(position: string | null, untilMs: number): Promise<SweptPage<WaitingRunEntry>>;
  /**
   * Puts places again that are missing, also those of the runs' sessions, unless the run (the session) waits no longer.
   *
   * @returns how many.
   */
  restorePlaces(entries: readonly WaitingRunEntry[]): Promise<number>;
  /** Machines by their live connections. */
  liveMachines(position: string | null): Promise<SweptPage<LiveMachine>>;
  /** Whether a run waits in the session, or the machine that it has is at work. */
  isInUse(session: Session): Promise<boolean>;
  /** The session is not due before that moment, unless it is used meanwhile. */
  postpone(session: Session, untilMs: number): Promise<void>;
}
