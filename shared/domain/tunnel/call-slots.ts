import type { ErrorCode } from "../../vocabulary/error-codes.ts";
import type { Actor } from "../audit/act.ts";
import type { OrganizationId } from "../organization-id.ts";

/** A call that is under way on a connection. */
export interface SlotCall {
  readonly organizationId: OrganizationId;
  readonly machineId: string;
  readonly connectionId: string;
  /** The id of the message to the driver. */
  readonly requestId: string;
  /** The id of the caller's request, or of a run's assignment. */
  readonly callerRequestId: string;
  readonly actor: Actor;
  readonly method: string;
  readonly path: string;
  /** Size of the body; 0 for one that the driver fetches. */
  readonly requestBytes: number;
}

export interface SlotOutcome {
  /** The driver's status, or why there is none. */
  readonly outcome: number | ErrorCode;
  readonly durationMs: number;
  /** Size of the answer's body. */
  readonly bytes: number;
}

/** A slot that a call has. Its lease ends by itself when the caller crashes. */
export interface CallSlot {
  readonly call: SlotCall;
  readonly number: number;
}

/** The places of a connection for calls under way: as many as its driver works on at a time. */
export interface CallSlots {
  /** Undefined when all are taken. One write, and one more for each taken slot that it meets. */
  take(call: SlotCall): Promise<CallSlot | undefined>;
  /** Changes nothing when the lease has ended and another call has the slot. One write. */
  giveBack(slot: CallSlot, outcome: SlotOutcome): Promise<void>;
  /** Notes the outcome of a call that needed no slot. One write. */
  note(call: SlotCall, outcome: SlotOutcome): Promise<void>;
}
