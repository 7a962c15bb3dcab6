import { driverCallTimeoutMs } from "./call-driver.ts";
import type { CallName, CallOutcome } from "./call-records.ts";

/** The lease is longer than a call may take, and than API Gateway waits for its caller. */
export const callLeaseMs = driverCallTimeoutMs + 5_000;

/** A slot, whose lease ends by itself when the caller crashes. */
export interface CallSlot {
  readonly call: CallName;
  readonly number: number;
}

/** The slots of a connection for calls that last, as many as its driver works on at a time. */
export interface CallSlots {
  /** Returns undefined when all are taken. */
  take(call: CallName): Promise<CallSlot | undefined>;
  /** Changes nothing when the lease has ended and another call has the slot. */
  giveBack(slot: CallSlot): Promise<void>;
  /**
   * Gives back the slot of a call whose caller is a function of the release before, which takes one for each call and
   * writes the call's record there: goes with the next release.
   */
  release(call: CallName, outcome: CallOutcome): Promise<void>;
}
