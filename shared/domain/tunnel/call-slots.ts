import type { OrganizationId } from "../access/organization-id.ts";

/** A call that is under way on a connection. */
export interface SlotCall {
  readonly organizationId: OrganizationId;
  readonly connectionId: string;
  readonly requestId: string;
  /** Who calls, as in `Caller`. */
  readonly principal: string;
  readonly method: string;
  readonly path: string;
}

export interface SlotOutcome {
  /** The driver's status, or why there is none. */
  readonly outcome: string;
  readonly durationMs: number;
  /** Of the answer's body. */
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
}
