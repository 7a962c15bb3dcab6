import type { JsonObject } from "../json.ts";

/** Results of steps are recorded and replayed elsewhere, so only they may decide what comes next. */
export interface Callback {
  readonly id: string;
  /** The invocation ends, and another one continues once the callback is completed or its time is over. */
  over(): Promise<void>;
}

export interface Durable {
  readonly arn: string;
  /** Interrupted work is repeated. It must not throw (`RetryingEngine` catches); its result has the outcome. */
  step<Result extends object>(name: string, work: () => Promise<Result>): Promise<Result>;
  /** The invocation ends, and another one continues after that time. */
  wait(name: string, seconds: number): Promise<void>;
  /** It is completed from outside by its id, or times out. */
  createCallback(name: string, seconds: number): Promise<Callback>;
  /** This may be read inside a step only. */
  remainingMs(): number;
}

/** Starting a name that exists does nothing. */
export interface ExecutionStarter {
  start(name: string, payload: JsonObject): Promise<void>;
}

/** A callback that has ended is completed already. */
export interface Callbacks {
  complete(callbackId: string): Promise<void>;
}

export type ExecutionState = "open" | "closed";

export interface ExecutionFinder {
  /**
   * An execution that has recorded its ARN is asked for by that, which is a read of one; one that has not yet is searched
   * for by its name.
   */
  find(execution: {
    readonly name: string;
    readonly arn: string | null;
  }): Promise<ExecutionState | undefined>;
}
