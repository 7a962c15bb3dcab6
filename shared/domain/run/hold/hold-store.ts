import type { Hold } from "../../hold/hold.ts";
import type { Idempotency } from "../../idempotency/idempotency.ts";
import type { RunStep } from "../../run-step/run-step.ts";
import type { Run } from "../run.ts";

/** The words of the person who gave the run back; null without any. */
export interface Resumption {
  readonly note: string | null;
  readonly resumedAt: string;
  /** The time that the run stood still, in milliseconds, which does not count as its own. */
  readonly heldMs: number;
  /** The hold expired before anybody resumed the run. */
  readonly isExpired?: true;
}

export interface ReleasedRun {
  readonly run: Run;
  /** The executor waits under this id; null if it has not begun to wait, or waits no more. */
  readonly callbackId: string | null;
}

/** A model's question is a step of the run. */
export interface AskedStep {
  readonly step: RunStep;
  /** The execution that asks. */
  readonly arn: string;
}

/** Run, machine and execution change in one transaction. Undefined means that the run has changed since it was read. */
export interface HoldStore {
  /** @throws {AlreadyOnRecord} */
  hold(run: Run, held: Hold, idempotency?: Idempotency): Promise<Run | undefined>;
  /**
   * The step is of the same transaction, so neither is there without the other.
   *
   * @throws {RunHeld} when a person was first, and then nothing is written.
   * @throws {Error} when another invocation has the step.
   */
  ask(run: Run, held: Hold, asked: AskedStep): Promise<Run | undefined>;
  /** @throws {AlreadyOnRecord} */
  release(run: Run, resumption: Resumption, idempotency?: Idempotency): Promise<ReleasedRun | undefined>;
}
