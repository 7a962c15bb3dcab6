import { expiredRecordingHours, type RecordingStatus } from "../../vocabulary/recordings.ts";
import type { Caller } from "../access/caller.ts";
import { DomainError } from "../errors.ts";
import { type Holder, isHolder, machineHeld, mayTakeOver } from "../hold/hold.ts";
import type { JsonObject } from "../json.ts";
import type { OrganizationId } from "../organization-id.ts";
import type { PaintedPart } from "../run-step/run-step.ts";

/** A person's work on a machine, as steps with pictures. Timestamps are ISO 8601. */
export interface Recording {
  readonly id: string;
  readonly organizationId: OrganizationId;
  readonly userId: string;
  readonly machineId: string;
  readonly workflowId: string | null;
  readonly by: Holder;
  /** The status at the last write; `statusOf` knows what the clock has made of it. */
  readonly status: RecordingStatus;
  readonly until: string;
  readonly elementCount: number;
  /** The index of the last step, from 1; looks have steps of their own. */
  readonly lastIndex: number;
  /** The digest of the last picture, so that a screen that has not changed is stored once. */
  readonly lastPicture: string | null;
  /** Parts of the screen that show a secret. */
  readonly painted: readonly PaintedPart[];
  /** The values of the inputs that texts were given as, by name. */
  readonly inputValues: JsonObject;
  readonly trajectoryId: string | null;
  readonly createdAt: string;
  readonly revision: number;
}

const expiredMs = expiredRecordingHours * 3_600_000;

export function statusOf({ status, until }: Recording, nowMs: number): RecordingStatus {
  return status === "recording" && Date.parse(until) <= nowMs ? "expired" : status;
}

/** From then on an expired recording's steps and pictures may be gone. */
export function keptUntilMs({ until }: Pick<Recording, "until">): number {
  return Date.parse(until) + expiredMs;
}

export function recordingEnded({ id }: Recording, status: RecordingStatus, what: string): DomainError {
  return new DomainError("illegal_transition", `the recording ${id} is ${status}: ${what}`, {
    details: { status },
  });
}

/** While it is under way a recording is its maker's alone. @throws {DomainError} `machine_held` */
export function requireMaker(recording: Recording, caller: Caller, nowMs: number): void {
  if (statusOf(recording, nowMs) !== "recording") return;
  if (!isHolder(recording, caller) && !mayTakeOver(caller)) throw machineHeld(recording, "the recording");
}
