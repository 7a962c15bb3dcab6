import type { Machine } from "../../machine/machine.ts";
import type { IdleMachine, WaitingRunEntry } from "../../run/waiting/queue-entry.ts";
import type { Session } from "../../session/session.ts";

/** A page of a long listing, and where to continue; null: from the front. */
export interface SweptPage<T> {
  readonly items: readonly T[];
  readonly position: string | null;
}

export interface LiveMachine {
  readonly machine: Machine;
  readonly idle: IdleMachine | undefined;
}

/** Queues, machines and sessions of all organizations, to repair what the stream missed. */
export interface MatchSweepStore {
  /** Runs that have waited since that time or longer, each with the place that it should have. */
  waitingRuns(position: string | null, untilMs: number): Promise<SweptPage<WaitingRunEntry>>;
  /** Restores missing places, also of the runs' sessions, where they still wait; returns how many. */
  restorePlaces(entries: readonly WaitingRunEntry[]): Promise<number>;
  /** Machines with a live connection; eventually consistent. */
  liveMachines(position: string | null): Promise<SweptPage<LiveMachine>>;
  readAgain(machines: readonly LiveMachine[]): Promise<readonly LiveMachine[]>;
  /** A session is in use while a run waits in it, or its machine has a run. */
  isInUse(session: Session): Promise<boolean>;
  /** Makes the session due at that time, unless it is used meanwhile. */
  postpone(session: Session, untilMs: number): Promise<void>;
}
