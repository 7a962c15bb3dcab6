import type { ErrorCode } from "../../vocabulary/error-codes.ts";
import type { Actor } from "../audit/act.ts";
import type { OrganizationId } from "../organization-id.ts";
import type { MailboxPart, PlainContent } from "./mailbox.ts";

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
  readonly takenAtMs: number;
}

export interface CallOutcome {
  /** The driver's status, or the reason why there is none. */
  readonly outcome: number | ErrorCode;
  readonly durationMs: number;
  readonly bytes: number;
}

export type CallName = Pick<DesktopCall, "organizationId" | "connectionId" | "requestId">;

/** The answer to a call, as its record carries it: whole, in one part. */
export type CarriedAnswer = Pick<MailboxPart, "status" | "uploaded"> & PlainContent;

export interface Arrival {
  /** The text of `describe`, where the caller has not opened the record. @default none, the caller opens it */
  readonly facts?: string | undefined;
  /** @default none: the answer is too large for the record, or has more parts, and is in the caller's mailbox */
  readonly answer?: CarriedAnswer | undefined;
  /** @default none: the caller ends the call, because it alone will know what it got */
  readonly outcome?: CallOutcome | undefined;
}

/** A call's record as its caller finds it. */
export interface CallAnswer extends CallName {
  /** @default the caller's mailbox has the answer, or a part of it */
  readonly answer?: CarriedAnswer;
  /** @default unknown: the call has not ended with its answer's arrival */
  readonly durationMs?: number | undefined;
  /** The call is over on record, so its caller need not end it. */
  readonly isEnded: boolean;
}

/**
 * Each call of a desktop has a record, from which its line in the request log is made. A small answer comes in the record,
 * so that one write brings the answer to its caller and ends the call.
 */
export interface CallRecords {
  /**
   * Says who calls what in a text, encrypted, for the function that stores the answer: such a call needs no record before it.
   *
   * @returns undefined when the text would be too long to be sent along.
   */
  describe(call: DesktopCall): Promise<string | undefined>;
  /** The answer may have come before. */
  open(call: DesktopCall): Promise<void>;
  /** Returns what is there for those whose answer came. */
  read(calls: readonly CallName[]): Promise<readonly CallAnswer[]>;
  /**
   * Opens the record, too, where it has the call's facts.
   *
   * @returns false when an answer is there, which stays, or when the call has ended.
   * @throws {DomainError} `service_unavailable` within a second, since a mailbox can take the answer instead.
   */
  arrive(call: CallName, arrival: Arrival): Promise<boolean>;
  /** Changes nothing when the call has ended. */
  end(call: CallName, outcome: CallOutcome): Promise<void>;
  /** A call that was never sent leaves no line. */
  withdraw(call: CallName): Promise<void>;
  /** Writes the record of a call that has ended and was never opened. */
  note(call: DesktopCall, outcome: CallOutcome): Promise<void>;
}
