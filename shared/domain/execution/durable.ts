import type { JsonObject } from "../json.ts";

/**
 * The engine: what a step has returned is recorded, and not done again when the execution goes on elsewhere. Between
 * steps only what was recorded may decide what comes next, since it is all replayed.
 */
export interface Durable {
  /** This execution's ARN. */
  readonly arn: string;
  /**
   * Does the work, unless its result is on record; work that was interrupted is done again. Must not throw
   * (`RetryingEngine` sees to that): a step says what happened.
   */
  step<Result extends object>(name: string, work: () => Promise<Result>): Promise<Result>;
  /** Ends this invocation; another one goes on after that time. */
  wait(name: string, seconds: number): Promise<void>;
  /** The invocation's remaining time. To be read inside of a step only. */
  remainingMs(): number;
}

/** Starts executions by name: a name that is there is that execution. */
export interface ExecutionStarter {
  start(name: string, payload: JsonObject): Promise<void>;
}

export type ExecutionState = "open" | "closed";

/** Finds executions by name. */
export interface ExecutionFinder {
  /** Undefined when there is none of that name, or none any more. */
  find(name: string): Promise<ExecutionState | undefined>;
}
