import type { ErrorCode } from "../../vocabulary/error-codes.ts";
import type { Actor } from "../audit/act.ts";
import type { OrganizationId } from "../organization-id.ts";
import { driverCallTimeoutMs } from "./call-driver.ts";

/** The lease is longer than a call may take, and than API Gateway waits for its caller. */
export const callLeaseMs = driverCallTimeoutMs + 5_000;

export interface DesktopCall {
  readonly organizationId: OrganizationId;
  readonly machineId: string;
  readonly connectionId: string;
  readonly requestId: string;
  readonly callerRequestId: string;
  readonly actor: Actor;
  readonly method: string;
  readonly path: string;
  /** The size is 0 for a body that the driver fetches. */
  readonly requestBytes: number;
}

export interface CallOutcome {
  /** The driver's status, or the reason why there is none. */
  readonly outcome: number | ErrorCode;
  readonly durationMs: number;
  readonly bytes: number;
}

/** A slot, whose lease ends by itself when the caller crashes. */
export interface CallSlot {
  readonly call: DesktopCall;
  readonly number: number;
}

export type CallName = Pick<DesktopCall, "organizationId" | "connectionId" | "requestId">;

/** The slots of a connection for calls under way, as many as its driver works on at a time. */
export interface CallSlots {
  /** Returns undefined when all are taken. */
  take(call: DesktopCall): Promise<CallSlot | undefined>;
  /** Changes nothing when the lease has ended and another call has the slot. */
  giveBack(slot: CallSlot, outcome: CallOutcome): Promise<void>;
  /**
   * Gives back a slot by its call alone, where the answer arrives.
   *
   * @returns false when no slot names the call, whose caller may still be about to take it.
   */
  release(call: CallName, outcome: CallOutcome): Promise<boolean>;
  note(call: DesktopCall, outcome: CallOutcome): Promise<void>;
}
