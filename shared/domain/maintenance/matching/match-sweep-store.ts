import type { Machine } from "../../machine/machine.ts";
import type { IdleMachine, WaitingRunEntry } from "../../run/waiting/queue-entry.ts";
import type { Session } from "../../session/session.ts";

/** A page of a long listing, and the position to continue from; null is the front. */
export interface SweptPage<T> {
  readonly items: readonly T[];
  readonly position: string | null;
}

export interface LiveMachine {
  readonly machine: Machine;
  readonly idle: IdleMachine | undefined;
}

/** Lists queues, machines and sessions of all organizations, to repair what the stream missed. */
export interface MatchSweepStore {
  /** Lists runs that have waited since that time or longer, each with its expected place. */
  waitingRuns(position: string | null, untilMs: number): Promise<SweptPage<WaitingRunEntry>>;
  /** Restores missing places of runs that still wait, and of their sessions. Returns their number. */
  restorePlaces(entries: readonly WaitingRunEntry[]): Promise<number>;
  /** Lists machines with a live connection. The list is eventually consistent. */
  liveMachines(position: string | null): Promise<SweptPage<LiveMachine>>;
  readAgain(machines: readonly LiveMachine[]): Promise<readonly LiveMachine[]>;
  /** A session is in use while a run waits in it, or its machine has a run. */
  isInUse(session: Session): Promise<boolean>;
  /** Makes the session due at that time, unless it is used meanwhile. */
  postpone(session: Session, untilMs: number): Promise<void>;
}
